/* check: services.accepted failed: in apply: the descriptor of a tool is null */
/* A descriptor is not optional. */
#define APPLY

#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status != DSH_OK) return status;
  const dsh_tools *tools = (const dsh_tools *)host->service(host, DSH_TOOLS);
  if (tools == NULL || !DSH_HAS(tools, add)) return fail(error, "the host has no tools service", NULL);
  status = tools->add(host, NULL, error);
  if (status != DSH_OK) return status;
  return add_all(host, NULL, error);
}
