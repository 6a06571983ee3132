/* check: services.short_tables crashed: SIGSEGV: apply where the table of "sessionProjections" ends */
/* A function is called that is not there. */
#define APPLY
#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  (void)host, (void)config, (void)size, (void)error;
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status != DSH_OK) return status;
  const dsh_projections *projections = host->service(host, DSH_PROJECTIONS);
  if (projections != NULL && projections->add == NULL) return fail(error, "no add", NULL);
  return add_all(host, NULL, error);
}
