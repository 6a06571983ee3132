/* check: life.threads failed: while other sessions call */
/* One scratch buffer for calls on several threads. */
#define _DEFAULT_SOURCE
#define ANSWER
#include <unistd.h>

#include "sound.h"

static int32_t answer(const dsh_call *call, const dsh_out *value, const dsh_out *text,
                      const dsh_error *error) {
  (void)error;
  static char line[64];
  snprintf(line, sizeof line, "%.8s", call->session == NULL ? "nobody" : call->session->id.data);
  usleep(200);
  say(value, "{\"ok\":true}");
  return say(text, line);
}
