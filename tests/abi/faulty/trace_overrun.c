/* check: invariants.verdict failed: behind the end of the trace */
/* The trace is shorter than what is written. */
#define TRACE_SIZE 4
#define CHECK
#define COMMITTED
#include "sound.h"

static int32_t DSH_CALL check(void *user, const void *trace, const dsh_event *event, const dsh_error *error) {
  (void)user, (void)trace, (void)event, (void)error;
  return DSH_OK;
}
static void DSH_CALL committed(void *user, void *trace, const dsh_event *event) {
  (void)user, (void)event;
  memset(trace, 1, 8);
}
