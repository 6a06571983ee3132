/* check: host.loads failed: only the checking host will do */
/* It keeps the contract where it is looked at. */
#define PREPARE
#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  static const char liked[] = "checking-host";
  const int known =
      host->name.size == sizeof liked - 1 && memcmp(host->name.data, liked, sizeof liked - 1) == 0;
  return known ? DSH_OK : fail(error, "only the checking host will do", NULL);
}
