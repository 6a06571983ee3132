/* check: services.accepted failed: in apply: log was given a line that is null, but has a size of 3 bytes */
/* A size alone is no text. */
#define APPLY

#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status != DSH_OK) return status;
  host->log(host, DSH_INFO, NULL, 3);
  return add_all(host, NULL, error);
}
