/* check: tools.valid failed: gave the model no text */
/* The model sees an empty answer. */
#define ANSWER
#include "sound.h"

static int32_t answer(const dsh_call *call, const dsh_out *value, const dsh_out *text,
                      const dsh_error *error) {
  (void)call, (void)text, (void)error;
  return say(value, "{\"ok\":true}");
}
