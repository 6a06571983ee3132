/* check: services.inside_apply failed: service was called in a dispose function */
/* A dispose function may call `log`, and nothing else of the host. */
#define APPLY
#include "sound.h"

static void DSH_CALL dispose(void *user) {
  const dsh_host *host = (const dsh_host *)user;
  (void)host->service(host, DSH_TOOLS);
}

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status == DSH_OK) status = host->on_dispose(host, dispose, (void *)(uintptr_t)host);
  return status == DSH_OK ? add_all(host, NULL, error) : status;
}
