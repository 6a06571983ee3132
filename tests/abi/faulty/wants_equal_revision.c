/* check: services.longer failed: apply fails where the host is of revision 2 */
/* A later host serves the plugins of every revision before it. */
#define PREPARE
#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  return host->revision == DSH_ABI_VERSION ? DSH_OK : fail(error, "another revision", NULL);
}
