/* check: invariants.replay failed: refuses it when the log is replayed */
/* A rule that depends on when it is asked. */
#define CHECK
#include "sound.h"

static int32_t DSH_CALL check(void *user, const void *trace, const dsh_event *event, const dsh_error *error) {
  (void)user, (void)trace;
  static int64_t newest;
  if (event->seq < newest) {
    fail(error, "older than what was seen", NULL);
    return DSH_VIOLATED;
  }
  newest = event->seq;
  return DSH_OK;
}
