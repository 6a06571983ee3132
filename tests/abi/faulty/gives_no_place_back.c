/* check: host.reload failed: cannot be loaded again while sessions work: .*every place is taken */
/* flags: -Wl,-z,nodelete */
/* A library that stays mapped keeps what its instances took. */
#define APPLY
#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  static int places = 8;
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status != DSH_OK) return status;
  if (places == 0) return fail(error, "every place is taken", NULL);
  --places;
  return add_all(host, NULL, error);
}
