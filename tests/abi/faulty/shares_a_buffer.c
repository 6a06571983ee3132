/* check: life.threads failed: while other sessions call */
/* One scratch buffer for calls on several threads. */
#define _DEFAULT_SOURCE
#define EXECUTE
#include <unistd.h>

#include "sound.h"
static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  (void)user, (void)call, (void)value, (void)text, (void)error;
  if (!looks_like_object(call->arguments.data, call->arguments.size))
    return fail(error, "the arguments must be an object", "INVALID_ARGS");
  static char line[64];
  snprintf(line, sizeof line, "%.8s", call->session == NULL ? "nobody" : call->session->id.data);
  usleep(200);
  say(value, "{\"ok\":true}");
  return say(text, line);
}
