/* check: process.files failed: left them open */
/* A descriptor for each apply. */
#define APPLY
#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  (void)host, (void)config, (void)size, (void)error;
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status != DSH_OK) return status;
  if (fopen("/dev/null", "r") == NULL) return fail(error, "no file", NULL);
  return add_all(host, NULL, error);
}
