/* check: life.deterministic warning: execute answers otherwise to the same input: .* a clock or an id */
/* innocent: life.again life.side_by_side */
/* State that no log holds: a replay comes to something else. */
#define ANSWER
#include "sound.h"

static int32_t answer(const dsh_call *call, const dsh_out *value, const dsh_out *text,
                      const dsh_error *error) {
  (void)call, (void)error;
  char line[64];
  static int calls;
  snprintf(line, sizeof line, "Call number %d.", ++calls);
  say(value, "{\"ok\":true}");
  return say(text, line);
}
