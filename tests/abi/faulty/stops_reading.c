/* check: tools.valid failed: returned DSH_NONE, with which its reading of the session had stopped */
/* That reading stopped early is no answer of the tool. */
#define EXECUTE
#include "sound.h"

static int32_t DSH_CALL stop(void *user, const dsh_event *event) {
  (void)user, (void)event;
  return DSH_NONE;
}

static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  (void)user, (void)call, (void)value, (void)text;
  if (call->session != NULL) return call->session->read(call->session, 0, stop, NULL, error);
  error->set(error->ctx, "no session", 10, NULL, NULL);
  return DSH_ERROR;
}
