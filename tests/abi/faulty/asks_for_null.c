/* check: services.accepted failed: service was asked for an id that is null */
/* innocent: invariants.verdict tools.append_legal */
/* Ids are exact. */
#define APPLY

#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status != DSH_OK) return status;
  if (host->service(host, NULL) != NULL) return fail(error, "a service without an id", NULL);
  return add_all(host, NULL, error);
}
