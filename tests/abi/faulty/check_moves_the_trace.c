/* check: invariants.pure crashed: SIGSEGV */
/* check only looks. */
#define CHECK
#include "sound.h"

static int32_t DSH_CALL check(void *user, const void *trace, const dsh_event *event, const dsh_error *error) {
  (void)user, (void)event, (void)error;
  ++*(int64_t *)(uintptr_t)trace;
  return DSH_OK;
}
