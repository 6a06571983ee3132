/* check: services.optional failed: which inject does not name */
/* What it cannot do without belongs into inject. */
#define PREPARE
#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  if (host->service(host, DSH_INVARIANTS) == NULL) return fail(error, "no invariants", NULL);
  return DSH_OK;
}
