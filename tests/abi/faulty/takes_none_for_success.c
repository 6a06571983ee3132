/* check: tools.append_fails failed: whose append returns 3 succeeded, though nothing was appended */
/* DSH_NONE is a failure where the comment of a function does not name it. */
#define EXECUTE
#include "sound.h"

static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  static const char data[] = "{\"note\":true}";
  (void)user;
  if (!looks_like_object(call->arguments.data, call->arguments.size))
    return fail(error, "the arguments must be an object", "INVALID_ARGS");
  if (call->session == NULL) return fail(error, "note requires an owning session", NULL);
  int32_t status = say(value, "{\"ok\":true}");
  if (status == DSH_OK) status = say(text, "Noted.");
  if (status != DSH_OK) return status;
  status = call->session->append(call->session, &note_type, data, sizeof data - 1, NULL, error);
  return status == DSH_NONE ? DSH_OK : status;
}
