/* error: read-only|incompatible pointer type|discards .const */
#include <dsh/invariants.h>
/* `check` sees the trace as it is before the commit; only `committed` moves it. */
static int32_t DSH_CALL check(void *user, const void *trace, const dsh_event *event, const dsh_error *error) {
#ifdef MISTAKE
  *(const int *)trace = 1;
#endif
  (void)user, (void)trace, (void)event, (void)error;
  return DSH_OK;
}
const dsh_invariant rule = {.struct_size = sizeof rule, .check = check};
