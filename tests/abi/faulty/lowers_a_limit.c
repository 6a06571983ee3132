/* check: process.limits failed: limit */
/* The host may need more. */
#define _DEFAULT_SOURCE
#define PREPARE
#include <sys/resource.h>

#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  (void)host, (void)error;
  const struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur /= 2;
  setrlimit(RLIMIT_NOFILE, &files);
  return DSH_OK;
}
