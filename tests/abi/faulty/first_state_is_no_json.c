/* check: projections.descriptor failed: not JSON */
/* It goes into checkpoints. */
#define INIT "nothing"
#define VIEW
#include "sound.h"

static int32_t DSH_CALL view(void *user, const dsh_str *state, const dsh_out *out, const dsh_error *error) {
  (void)user, (void)state, (void)error;
  return say(out, "null");
}
