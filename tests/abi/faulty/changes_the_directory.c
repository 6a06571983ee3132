/* check: process.surroundings failed: directory */
/* Every relative path of the program leads elsewhere. */
#define _DEFAULT_SOURCE
#define PREPARE
#include <unistd.h>

#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  (void)host;
  if (chdir("/") != 0) return fail(error, "no root", NULL);
  return DSH_OK;
}
