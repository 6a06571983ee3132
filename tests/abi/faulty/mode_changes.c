/* check: life.again failed: it registers otherwise when it is applied again: .*mode 1.* became .*mode 0 */
/* The same config, another tool. */
#define PREPARE
#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  static uint32_t applied;
  ++applied;
  dsh_tool tool = other_tool;
  tool.mode = (int32_t)(applied % 2);
  return register_tool(host, &tool, error);
}
