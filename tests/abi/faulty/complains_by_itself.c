/* check: process.stderr warning: instead of using the host */
/* The host has a log. */
#define PREPARE
#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  (void)host, (void)error;
  fputs("hello from a plugin\n", stderr);
  return DSH_OK;
}
