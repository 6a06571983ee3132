/* check: services.inside_apply failed: service was called in a dispose function */
/* A dispose function may call `log`, and nothing else of the host. */
#define PREPARE
#include "sound.h"

static void DSH_CALL dispose(void *user) {
  const dsh_host *host = (const dsh_host *)user;
  (void)host->service(host, DSH_TOOLS);
}

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  (void)error;
  return host->on_dispose(host, dispose, (void *)(uintptr_t)host);
}
