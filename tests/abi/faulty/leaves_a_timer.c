/* check: process.timers failed: timer */
/* It rings when the plugin has gone. */
#define _DEFAULT_SOURCE
#define PREPARE
#include <signal.h>
#include <time.h>

#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  (void)host;
  timer_t timer;
  struct sigevent event = {.sigev_notify = SIGEV_NONE};
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) return fail(error, "no timer", NULL);
  return DSH_OK;
}
