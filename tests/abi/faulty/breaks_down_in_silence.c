/* check: invariants.verdict failed: no text|without saying why */
/* innocent: tools.valid tools.no_session */
/* The rule is to blame, not the tool whose append it fails. */
#define CHECK
#include "sound.h"

static int32_t DSH_CALL check(void *user, const void *trace, const dsh_event *event, const dsh_error *error) {
  (void)user, (void)trace, (void)event, (void)error;
  return DSH_ERROR;
}
