/* check: life.deterministic failed: to the same input */
/* State that no log holds: a replay comes to something else. */
#define EXECUTE
#include "sound.h"

static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  (void)user, (void)call, (void)value, (void)text, (void)error;
  if (!looks_like_object(call->arguments.data, call->arguments.size))
    return fail(error, "the arguments must be an object", "INVALID_ARGS");
  char line[64];
  static int calls;
  snprintf(line, sizeof line, "Call number %d.", ++calls);
  say(value, "{\"ok\":true}");
  return say(text, line);
}
