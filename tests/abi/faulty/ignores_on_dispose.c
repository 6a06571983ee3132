/* check: services.dispose_fails failed: though on_dispose failed */
/* Memory that nobody will free. */
#define APPLY
#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  (void)host, (void)config, (void)size, (void)error;
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status != DSH_OK) return status;
  host->on_dispose(host, free, malloc(1));
  return add_all(host, NULL, error);
}
