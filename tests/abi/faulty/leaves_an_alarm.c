/* check: process.timers failed: alarm not set.* became .*alarm set */
/* It rings when the plugin has gone. */
#define _DEFAULT_SOURCE
#define PREPARE
#include <unistd.h>

#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  (void)host, (void)error;
  alarm(1000);
  return DSH_OK;
}
