/* check: services.accepted failed: the name of a tool has a size of 1099511627776 bytes */
/* A size that nothing has. */
#define PREPARE
#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  dsh_tool tool = other_tool;
  tool.name.size = (size_t)1 << 40;
  return register_tool(host, &tool, error);
}
