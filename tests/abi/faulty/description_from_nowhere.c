/* check: services.accepted failed: the description of a tool lies in memory that may not be read */
/* innocent: host.loads host.services */
/* A pointer to nothing. */
#define PREPARE
#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  dsh_tool tool = other_tool;
  tool.description = (dsh_str){(const char *)64, 5};
  return register_tool(host, &tool, error);
}
