/* check: projections.view failed: no text */
/* Whoever reads is told nothing. */
#define VIEW
#include "sound.h"

static int32_t DSH_CALL view(void *user, const dsh_str *state, const dsh_out *out, const dsh_error *error) {
  (void)user, (void)error;
  return state->size == 4 ? say(out, "null") : DSH_ERROR;
}
