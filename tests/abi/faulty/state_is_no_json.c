/* check: projections.state failed: not JSON */
/* A state goes into checkpoints, which are JSON. */
#define FOLD
#include "sound.h"

static int32_t DSH_CALL fold(void *user, const dsh_str *state, const dsh_event *event, const dsh_out *next,
                             const dsh_error *error) {
  (void)user, (void)state, (void)event, (void)error;
  return say(next, "one note");
}
