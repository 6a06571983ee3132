/* error: incompatible pointer type */
#include <dsh/invariants.h>
/* The same, by the signature. */
#ifdef MISTAKE
static int32_t DSH_CALL check(void *user, void *trace, const dsh_event *event, const dsh_error *error) {
#else
static int32_t DSH_CALL check(void *user, const void *trace, const dsh_event *event, const dsh_error *error) {
#endif
  (void)user, (void)trace, (void)event, (void)error;
  return DSH_OK;
}
const dsh_invariant rule = {.struct_size = sizeof rule, .check = check};
