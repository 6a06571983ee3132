/* check: tools.valid failed: a text that was written to a sink lies in memory that may not be read */
/* A pointer to nothing. */
#define ANSWER
#include "sound.h"

static int32_t answer(const dsh_call *call, const dsh_out *value, const dsh_out *text,
                      const dsh_error *error) {
  (void)call, (void)error;
  say(value, "{\"ok\":true}");
  value->write(value->ctx, (const char *)64, 3);
  return say(text, "Noted.");
}
