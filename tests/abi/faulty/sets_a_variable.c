/* check: process.surroundings failed: environment */
/* The environment is the program's. */
#define _DEFAULT_SOURCE
#define PREPARE
#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  (void)host, (void)error;
  setenv("PLUGIN", "was here", 1);
  return DSH_OK;
}
