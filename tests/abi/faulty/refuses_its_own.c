/* check: invariants.own_events failed: own rule refuses */
/* Tool and rule disagree: no call ever succeeds. */
#define CHECK
#include "sound.h"

static int32_t DSH_CALL check(void *user, const void *trace, const dsh_event *event, const dsh_error *error) {
  (void)user, (void)trace, (void)event;
  fail(error, "no notes, please", NULL);
  return DSH_VIOLATED;
}
