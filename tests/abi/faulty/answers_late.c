/* check: tools.inside failed: used after its call had ended */
/* A sink is kept, and written to in the next call. */
#define ANSWER
#include "sound.h"

static int32_t answer(const dsh_call *call, const dsh_out *value, const dsh_out *text,
                      const dsh_error *error) {
  (void)call, (void)error;
  static const dsh_out *kept;
  if (kept != NULL) say(kept, "one more thing");
  kept = text;
  say(value, "{\"ok\":true}");
  return say(text, "Noted.");
}
