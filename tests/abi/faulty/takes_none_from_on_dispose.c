/* check: services.dispose_fails failed: where on_dispose returns 3, though on_dispose failed */
/* DSH_NONE is a failure where the comment of a function does not name it. */
#define PREPARE
#include "sound.h"

static void DSH_CALL dispose(void *user) { (void)user; }

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  (void)error;
  const int32_t status = host->on_dispose(host, dispose, NULL);
  return status == DSH_NONE ? DSH_OK : status;
}
