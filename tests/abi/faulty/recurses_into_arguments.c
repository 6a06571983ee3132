/* check: tools.anything crashed: SIGSEGV: execute of note with \[\[\[ */
/* What a model wrote may be nested deeper than any stack. */
#define EXECUTE
#include "sound.h"

static int depth_of(const char *text, const char *end) {
  volatile char room[200];
  room[0] = 0;
  return text < end && *text == '[' ? depth_of(text + 1, end) + 1 + room[0] : 0;
}

static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  (void)user;
  const dsh_str *sent = &call->arguments;
  if (sent->size > 0 && depth_of(sent->data, sent->data + sent->size) > 0)
    return fail(error, "a list is no object", "INVALID_ARGS");
  const int32_t status = good_arguments(call, error);
  return status == DSH_OK ? answer(call, value, text, error) : status;
}
