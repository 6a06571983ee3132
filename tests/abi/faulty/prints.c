/* check: process.stdout failed: hello from a plugin */
/* stdout belongs to the program: its output is now broken. */
#define PREPARE
#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  (void)host, (void)error;
  puts("hello from a plugin");
  return DSH_OK;
}
