/* check: process.children failed: processes that it started */
/* Nobody waits for it. */
#define _DEFAULT_SOURCE
#define PREPARE
#include <unistd.h>

#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  (void)host;
  const pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  if (child < 0) return fail(error, "no process", NULL);
  return DSH_OK;
}
