/* check: invariants.replay failed: different traces */
/* A trace is bytes; a host may move it and drop it. */
#define COMMITTED
#define CHECK
#include "sound.h"

static int32_t DSH_CALL check(void *user, const void *trace, const dsh_event *event, const dsh_error *error) {
  (void)user, (void)trace, (void)event, (void)error;
  return DSH_OK;
}
static void DSH_CALL committed(void *user, void *trace, const dsh_event *event) {
  (void)user, (void)event;
  int64_t where = (int64_t)(uintptr_t)trace;
  memcpy(trace, &where, sizeof where);
}
