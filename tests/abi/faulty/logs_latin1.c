/* check: services.accepted failed: in apply: log was given a line that is no UTF-8 */
/* Lines of a log are texts. */
#define PREPARE
#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  (void)error;
  host->log(host, DSH_INFO, "b\374ro", 4);
  return DSH_OK;
}
