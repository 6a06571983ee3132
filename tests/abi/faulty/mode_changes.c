/* check: life.again failed: it registers otherwise when it is applied again: .*mode 1.* became .*mode 0 */
/* The same config, another tool. */
#define APPLY

#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status != DSH_OK) return status;
  static uint32_t applied;
  ++applied;
  const dsh_tools *tools = (const dsh_tools *)host->service(host, DSH_TOOLS);
  if (tools == NULL || !DSH_HAS(tools, add)) return fail(error, "the host has no tools service", NULL);
  const dsh_tool tool = {.struct_size = sizeof tool,
                         .mode = (int32_t)(applied % 2),
                         .name = DSH_STR("other"),
                         .parameters = DSH_STR(PARAMETERS),
                         .execute = execute};
  status = tools->add(host, &tool, error);
  if (status != DSH_OK) return status;
  return add_all(host, NULL, error);
}
