/* check: process.timers failed: alarm not set.* became .*alarm set */
/* It rings when the plugin has gone. */
#define _DEFAULT_SOURCE
#define APPLY
#include <unistd.h>

#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status != DSH_OK) return status;
  alarm(1000);
  return add_all(host, NULL, error);
}
