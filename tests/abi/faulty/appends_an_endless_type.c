/* check: services.sound failed: an event type that has a size of 1099511627776 bytes */
/* innocent: tools.append_legal */
/* A size that nothing has. */
#define EXECUTE
#include "sound.h"

static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  static const dsh_str type = {"note", (size_t)1 << 40};
  (void)user;
  if (!looks_like_object(call->arguments.data, call->arguments.size))
    return fail(error, "the arguments must be an object", "INVALID_ARGS");
  if (call->session == NULL) return fail(error, "note requires an owning session", NULL);
  int32_t status = say(value, "{\"ok\":true}");
  if (status == DSH_OK) status = say(text, "Noted.");
  return status != DSH_OK ? status : call->session->append(call->session, &type, "{}", 2, NULL, error);
}
