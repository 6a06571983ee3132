/* check: tools.append_fails failed: though nothing was appended */
/* The model believes that it is noted. */
#define EXECUTE
#include "sound.h"

static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  (void)user, (void)call, (void)value, (void)text, (void)error;
  if (!looks_like_object(call->arguments.data, call->arguments.size))
    return fail(error, "the arguments must be an object", "INVALID_ARGS");
  if (call->session == NULL) return fail(error, "note requires an owning session", NULL);
  static const char data[] = "{\"note\":true}";
  say(value, "{\"ok\":true}");
  say(text, "Noted.");
  call->session->append(call->session, &note_type, data, sizeof data - 1, NULL, error);
  return DSH_OK;
}
