/* check: tools.value failed: breaks its output schema */
/* A value that is not what was declared. */
#define ANSWER
#include "sound.h"

static int32_t answer(const dsh_call *call, const dsh_out *value, const dsh_out *text,
                      const dsh_error *error) {
  (void)call, (void)error;
  say(value, "{\"ok\":\"yes\"}");
  return say(text, "Noted.");
}
