/* check: process.surroundings failed: environment */
/* The environment is the program's. */
#define _DEFAULT_SOURCE
#define APPLY
#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  (void)host, (void)config, (void)size, (void)error;
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status != DSH_OK) return status;
  setenv("PLUGIN", "was here", 1);
  return add_all(host, NULL, error);
}
