/* check: tools.sinks failed: appended an event all the same */
/* An answer that does not fit fails a call whose event stays. */
#define EXECUTE
#include "sound.h"

static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  (void)user;
  int32_t status = good_arguments(call, error);
  if (status == DSH_OK && call->session == NULL) return fail(error, "note requires an owning session", NULL);
  if (status == DSH_OK) status = append_note(call, error);
  return status == DSH_OK ? answer(call, value, text, error) : status;
}
