/* check: host.loads failed: only the checking host will do */
/* It keeps the contract where it is looked at. */
#define APPLY
#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  static const char liked[] = "checking-host";
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status != DSH_OK) return status;
  if (host->name.size != sizeof liked - 1 || memcmp(host->name.data, liked, sizeof liked - 1) != 0)
    return fail(error, "only the checking host will do", NULL);
  return add_all(host, NULL, error);
}
