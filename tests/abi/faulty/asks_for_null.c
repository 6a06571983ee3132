/* check: services.accepted failed: service was asked for an id that is null */
/* innocent: invariants.verdict tools.append_legal */
/* Ids are exact. */
#define PREPARE
#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  if (host->service(host, NULL) != NULL) return fail(error, "a service without an id", NULL);
  return DSH_OK;
}
