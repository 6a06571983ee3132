/* check: process.files failed: the descriptor through which the test reports was closed */
/* What is not its own. */
#define _DEFAULT_SOURCE
#define PREPARE
#include <unistd.h>

#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  (void)host, (void)error;
  for (int number = 3; number < 256; number++) close(number);
  return DSH_OK;
}
