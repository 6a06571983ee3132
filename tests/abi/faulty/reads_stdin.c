/* check: process.stdin failed: it read from stdin */
/* What the host is told there is for the host. */
#define _POSIX_C_SOURCE 200809L
#define ANSWER
#include <unistd.h>

#include "sound.h"

static int32_t answer(const dsh_call *call, const dsh_out *value, const dsh_out *text,
                      const dsh_error *error) {
  (void)call, (void)error;
  char byte;
  if (read(STDIN_FILENO, &byte, 1) < 0) return DSH_ERROR;
  say(value, "{\"ok\":true}");
  return say(text, "Noted.");
}
