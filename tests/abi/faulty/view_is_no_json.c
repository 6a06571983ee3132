/* check: projections.view failed: not JSON */
/* Readers expect JSON. */
#define VIEW
#include "sound.h"

static int32_t DSH_CALL view(void *user, const dsh_str *state, const dsh_out *out, const dsh_error *error) {
  (void)user, (void)error;
  return state->size == 4 ? say(out, "null") : say(out, "a note");
}
