/* check: process.files failed: the descriptor through which the test reports was closed */
/* What is not its own. */
#define _DEFAULT_SOURCE
#define APPLY
#include <unistd.h>

#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status != DSH_OK) return status;
  for (int number = 3; number < 256; number++) close(number);
  return add_all(host, NULL, error);
}
