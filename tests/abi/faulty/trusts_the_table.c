/* check: services.short_tables crashed: SIGSEGV: apply where the table of "sessionProjections" ends */
/* A function is called that is not there. */
#define PREPARE
#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  const dsh_projections *projections = host->service(host, DSH_PROJECTIONS);
  if (projections != NULL && projections->add == NULL) return fail(error, "no add", NULL);
  return DSH_OK;
}
