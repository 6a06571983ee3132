/* check: services.accepted failed: in apply: log was given a line that is null, but has a size of 3 bytes */
/* A size alone is no text. */
#define PREPARE
#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  (void)error;
  host->log(host, DSH_INFO, NULL, 3);
  return DSH_OK;
}
