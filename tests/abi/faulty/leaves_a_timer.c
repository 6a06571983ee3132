/* check: process.timers failed: timer */
/* It rings when the plugin has gone. */
#define _DEFAULT_SOURCE
#define APPLY
#include <signal.h>
#include <time.h>

#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status != DSH_OK) return status;
  timer_t timer;
  struct sigevent event = {.sigev_notify = SIGEV_NONE};
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) return fail(error, "no timer", NULL);
  return add_all(host, NULL, error);
}
