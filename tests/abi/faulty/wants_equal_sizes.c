/* check: services.longer failed: longer than this revision */
/* A newer host has longer structs. */
#define PREPARE
#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  if (host->struct_size != sizeof *host) return fail(error, "another host", NULL);
  return DSH_OK;
}
