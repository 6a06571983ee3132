/* check: projections.pure failed: another state the second time */
/* A fold that depends on how often it ran. */
#define FOLD
#include "sound.h"

static int32_t DSH_CALL fold(void *user, const dsh_str *state, const dsh_event *event, const dsh_out *next,
                             const dsh_error *error) {
  (void)user, (void)state, (void)event, (void)error;
  static int times;
  return say(next, (++times & 1) ? "1" : "2");
}
