/* check: process.surroundings failed: directory */
/* Every relative path of the program leads elsewhere. */
#define _DEFAULT_SOURCE
#define APPLY
#include <unistd.h>

#include "sound.h"
int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  (void)host, (void)config, (void)size, (void)error;
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status != DSH_OK) return status;
  if (chdir("/") != 0) return fail(error, "no root", NULL);
  return add_all(host, NULL, error);
}
