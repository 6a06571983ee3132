/* check: services.handles failed: was given a copy of the dsh_host */
/* A host is known by where it lies. */
#define APPLY
#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status != DSH_OK) return status;
  const dsh_host copy = *host;
  return add_all(&copy, NULL, error);
}
