/* check: services.handles failed: append was given a copy of a dsh_error */
/* A sink is known by where it lies. */
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
  const dsh_error copy = *error;
  return call->session->append(call->session, &note_type, data, sizeof data - 1, NULL, &copy);
}
