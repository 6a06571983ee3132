/* check: services.accepted failed: a tool without execute */
/* A required function is missing. */
#define PREPARE
#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  dsh_tool tool = other_tool;
  tool.execute = NULL;
  return register_tool(host, &tool, error);
}
