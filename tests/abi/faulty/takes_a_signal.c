/* check: process.signals failed: signals */
/* A handler in code that may be unmapped. */
#define PREPARE
#include <signal.h>

#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  (void)host, (void)error;
  signal(SIGUSR1, SIG_IGN);
  return DSH_OK;
}
