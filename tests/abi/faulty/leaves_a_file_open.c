/* check: process.files failed: left them open */
/* A descriptor for each apply. */
#define PREPARE
#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  (void)host;
  if (fopen("/dev/null", "r") == NULL) return fail(error, "no file", NULL);
  return DSH_OK;
}
