/* check: tools.no_session crashed: SIGSEGV: execute of note .* for no session */
/* A call need not have an owner. */
#define EXECUTE
#include "sound.h"

static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  (void)user;
  int32_t status = good_arguments(call, error);
  if (status == DSH_OK) status = answer(call, value, text, error);
  return status == DSH_OK ? append_note(call, error) : status;
}
