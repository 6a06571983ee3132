/* check: invariants.pure failed: answers otherwise */
/* The verdict depends on something that is not in the log. */
#define CHECK
#include "sound.h"

static int32_t DSH_CALL check(void *user, const void *trace, const dsh_event *event, const dsh_error *error) {
  (void)user, (void)trace, (void)event;
  static int mood;
  if ((++mood & 1) == 0) return DSH_OK;
  fail(error, "not now", NULL);
  return DSH_VIOLATED;
}
