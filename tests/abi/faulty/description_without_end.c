/* check: services.accepted failed: the description of a tool has a size of 18446744073709551615 bytes */
/* A size that nothing has. */
#define PREPARE
#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  dsh_tool tool = other_tool;
  tool.description.size = (size_t)-1;
  return register_tool(host, &tool, error);
}
