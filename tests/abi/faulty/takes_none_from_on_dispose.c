/* check: services.dispose_fails failed: where on_dispose returns 3, though on_dispose failed */
/* DSH_NONE is a failure where the comment of a function does not name it. */
#define APPLY
#include "sound.h"

static void DSH_CALL dispose(void *user) { (void)user; }

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status == DSH_OK) status = host->on_dispose(host, dispose, NULL);
  return status == DSH_OK || status == DSH_NONE ? add_all(host, NULL, error) : status;
}
