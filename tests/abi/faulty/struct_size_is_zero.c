/* check: services.accepted failed: the descriptor of a tool has the struct_size 0: its required members */
/* The size of what it was compiled with. */
#define PREPARE
#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  dsh_tool tool = other_tool;
  tool.struct_size = 0;
  return register_tool(host, &tool, error);
}
