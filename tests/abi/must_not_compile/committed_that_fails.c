/* error: incompatible pointer type */
#include <dsh/invariants.h>
/* The event is in the log: there is nothing left to refuse. */
#ifdef MISTAKE
static int32_t DSH_CALL committed(void *user, void *trace, const dsh_event *event) {
  (void)user, (void)trace, (void)event;
  return DSH_ERROR;
}
#else
static void DSH_CALL committed(void *user, void *trace, const dsh_event *event) {
  (void)user, (void)trace, (void)event;
}
#endif
const dsh_invariant rule = {.struct_size = sizeof rule, .committed = committed};
