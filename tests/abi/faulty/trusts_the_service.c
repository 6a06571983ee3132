/* check: services.required crashed: SIGSEGV: apply where service */
/* A null table is dereferenced. */
#define APPLY
#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  (void)host, (void)config, (void)size, (void)error;
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status != DSH_OK) return status;
  const dsh_tools *tools = host->service(host, DSH_TOOLS);
  if (tools->struct_size < sizeof *tools) return fail(error, "too old", NULL);
  return add_all(host, NULL, error);
}
