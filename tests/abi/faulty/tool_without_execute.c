/* check: services.accepted failed: a tool without execute */
/* A required function is missing. */
#define APPLY
#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  (void)host, (void)config, (void)size, (void)error;
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status != DSH_OK) return status;
  const dsh_tools *tools = host->service(host, DSH_TOOLS);
  const dsh_tool tool = {
      .struct_size = sizeof tool, .name = DSH_STR("idle"), .parameters = DSH_STR(PARAMETERS)};
  if (tools == NULL || !DSH_HAS(tools, add)) return fail(error, "no tools", NULL);
  if (tools->add(host, &tool, error) != DSH_OK) return DSH_ERROR;
  return add_all(host, NULL, error);
}
