/* check: projections.descriptor failed: no view of the state it starts with */
/* A session without events cannot be read. */
#define VIEW
#include "sound.h"

static int32_t DSH_CALL view(void *user, const dsh_str *state, const dsh_out *out, const dsh_error *error) {
  (void)user;
  return state->size == 4 ? fail(error, "nothing there", NULL)
                          : out->write(out->ctx, state->data, state->size);
}
