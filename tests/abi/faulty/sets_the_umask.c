/* check: process.surroundings failed: umask */
/* Every file that the host makes. */
#define _DEFAULT_SOURCE
#define PREPARE
#include <sys/stat.h>

#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  (void)host, (void)error;
  umask(0);
  return DSH_OK;
}
