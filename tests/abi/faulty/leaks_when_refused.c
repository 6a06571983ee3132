/* check: life.refused_calls failed: that the host refuses leaves about */
/* The way out that is seldom taken. */
#define EXECUTE
#include "sound.h"

static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  static const char data[] = "{\"note\":true}";
  (void)user;
  if (!looks_like_object(call->arguments.data, call->arguments.size))
    return fail(error, "the arguments must be an object", "INVALID_ARGS");
  if (call->session == NULL) return fail(error, "note requires an owning session", NULL);
  char *volatile copy = malloc(100);
  if (copy == NULL) return DSH_NO_MEMORY;
  memset(copy, 1, 100);
  int32_t status = say(value, "{\"ok\":true}");
  if (status == DSH_OK) status = say(text, "Noted.");
  if (status == DSH_OK)
    status = call->session->append(call->session, &note_type, data, sizeof data - 1, NULL, error);
  if (status == DSH_OK) free(copy);
  return status;
}
