/* check: tools.inside failed: used after its call had ended */
/* A sink is kept, and written to in the next call. */
#define EXECUTE
#include "sound.h"

static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  (void)user, (void)call, (void)value, (void)text, (void)error;
  if (!looks_like_object(call->arguments.data, call->arguments.size))
    return fail(error, "the arguments must be an object", "INVALID_ARGS");
  static const dsh_out *kept;
  if (kept != NULL) say(kept, "one more thing");
  kept = text;
  say(value, "{\"ok\":true}");
  return say(text, "Noted.");
}
