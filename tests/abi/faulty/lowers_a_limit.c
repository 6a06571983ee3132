/* check: process.limits failed: limit */
/* The host may need more. */
#define _DEFAULT_SOURCE
#define APPLY
#include <sys/resource.h>

#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status != DSH_OK) return status;
  const struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur /= 2;
  setrlimit(RLIMIT_NOFILE, &files);
  return add_all(host, NULL, error);
}
