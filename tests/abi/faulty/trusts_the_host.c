/* check: services.short_host crashed: SIGSEGV: apply with a dsh_host of */
/* The root is read beyond its end. */
#define APPLY
#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  (void)host, (void)config, (void)size, (void)error;
  if (host->log == NULL) return fail(error, "no log", NULL);
  int32_t status = good_config(config, size, error);
  return status == DSH_OK ? add_all(host, NULL, error) : status;
}
