/* check: host.reload failed: can't be loaded again while sessions work: .*every place is taken */
/* flags: -Wl,-z,nodelete */
/* A library that stays mapped keeps what its instances took. */
#define PREPARE
#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  (void)host;
  static int places = 8;
  if (places == 0) return fail(error, "every place is taken", NULL);
  --places;
  return DSH_OK;
}
