/* check: process.children failed: processes that it started */
/* Nobody waits for it. */
#define _DEFAULT_SOURCE
#define APPLY
#include <unistd.h>

#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status != DSH_OK) return status;
  const pid_t child = fork();
  if (child == 0) {
    pause();
    _exit(0);
  }
  if (child < 0) return fail(error, "no process", NULL);
  return add_all(host, NULL, error);
}
