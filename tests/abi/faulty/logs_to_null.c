/* check: services.short_host crashed: SIGSEGV: apply with a dsh_host whose `log` is null */
/* Long enough is not yet there: DSH_HAS, not DSH_REACHES. */
#define APPLY
#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  if (!DSH_REACHES(host, log)) return fail(error, "the host is too short for this plugin", NULL);
  const int32_t status = good_config(config, size, error);
  if (status != DSH_OK) return status;
  host->log(host, DSH_INFO, "hello", 5);
  return add_all(host, NULL, error);
}
