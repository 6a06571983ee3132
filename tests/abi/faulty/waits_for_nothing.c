/* check: process.files failed: changed how it is read and written: .*non-blocking */
/* Flags of an open file are everybody's who has it. */
#define _POSIX_C_SOURCE 200809L
#define PREPARE
#include <fcntl.h>

#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  (void)host;
  const int done = fcntl(1, F_SETFL, fcntl(1, F_GETFL) | O_NONBLOCK);
  return done == 0 ? DSH_OK : fail(error, "stdout has no flags", NULL);
}
