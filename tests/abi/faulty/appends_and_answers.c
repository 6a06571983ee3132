/* check: tools.sinks failed: appended an event all the same */
/* An answer that does not fit fails a call whose event stays. */
#define EXECUTE
#include "sound.h"

static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  (void)user, (void)call, (void)value, (void)text, (void)error;
  if (!looks_like_object(call->arguments.data, call->arguments.size))
    return fail(error, "the arguments must be an object", "INVALID_ARGS");
  if (call->session == NULL) return fail(error, "note requires an owning session", NULL);
  static const char data[] = "{\"note\":true}";
  int32_t status = call->session->append(call->session, &note_type, data, sizeof data - 1, NULL, error);
  if (status != DSH_OK) return status;
  say(value, "{\"ok\":true}");
  return say(text, "Noted.");
}
