/* check: services.short_host crashed: SIGSEGV: apply with a dsh_host of */
/* DSH_HAS before each use, `log` included. */
#define APPLY
#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  if (!DSH_HAS(host, on_dispose)) return fail(error, "the host is too short for this plugin", NULL);
  const int32_t status = good_config(config, size, error);
  if (status != DSH_OK) return status;
  host->log(host, DSH_INFO, "hello", 5);
  return add_all(host, NULL, error);
}
