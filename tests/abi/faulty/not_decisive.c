/* check: projections.decisive failed: is declared decisive */
/* It counts, so that the state depends on all events: hosts would show different values. */
#define FOLD
#include "sound.h"

static int32_t DSH_CALL fold(void *user, const dsh_str *state, const dsh_event *event, const dsh_out *next,
                             const dsh_error *error) {
  (void)user, (void)event, (void)error;
  char line[32], copy[32] = "";
  if (state->size > 0 && state->size < sizeof copy) memcpy(copy, state->data, state->size);
  const long count = *copy == 'n' ? 0 : strtol(copy, NULL, 10);
  snprintf(line, sizeof line, "%ld", count + 1);
  return say(next, line);
}
