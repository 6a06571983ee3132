/* check: life.sessions failed: each session .* bytes on the heap */
/* A copy of each state that is folded. */
#define FOLD
#include "sound.h"

static int32_t DSH_CALL fold(void *user, const dsh_str *state, const dsh_event *event, const dsh_out *next,
                             const dsh_error *error) {
  (void)user, (void)state, (void)error;
  char *volatile copy = malloc(event->data.size + 1);
  if (copy == NULL) return DSH_NO_MEMORY;
  memcpy(copy, event->data.data, event->data.size);
  return next->write(next->ctx, copy, event->data.size);
}
