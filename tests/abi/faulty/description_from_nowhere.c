/* check: services.accepted failed: the description of a tool lies in memory that may not be read */
/* innocent: host.loads host.services */
/* A pointer to nothing. */
#define APPLY

#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status != DSH_OK) return status;
  const dsh_tools *tools = (const dsh_tools *)host->service(host, DSH_TOOLS);
  if (tools == NULL || !DSH_HAS(tools, add)) return fail(error, "the host has no tools service", NULL);
  dsh_tool tool = {.struct_size = sizeof tool,
                   .name = DSH_STR("other"),
                   .description = DSH_STR("Notes something else."),
                   .parameters = DSH_STR(PARAMETERS),
                   .execute = execute};
  tool.description = (dsh_str){(const char *)64, 5};
  status = tools->add(host, &tool, error);
  if (status != DSH_OK) return status;
  return add_all(host, NULL, error);
}
