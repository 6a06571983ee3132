/* check: services.dispose_fails failed: though on_dispose failed */
/* Memory that nobody will free. */
#define PREPARE
#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  (void)error;
  host->on_dispose(host, free, malloc(1));
  return DSH_OK;
}
