/* check: invariants.verdict failed: no text|without saying why */
/* A veto that says nothing. */
#define CHECK
#include "sound.h"

static int32_t DSH_CALL check(void *user, const void *trace, const dsh_event *event, const dsh_error *error) {
  (void)user, (void)trace, (void)error;
  return event->data.size > 13 ? DSH_VIOLATED : DSH_OK;
}
