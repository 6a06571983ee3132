/* check: tools.anything crashed: SIGSEGV: execute of note with */
/* Its depth is bounded, but not by what the stack of a thread holds. */
#define EXECUTE
#include "sound.h"

static int depth_of(const char *text, const char *end, int depth) {
  volatile char room[400];
  room[0] = 0;
  return text < end && depth < 6000 && *text == '[' ? depth_of(text + 1, end, depth + 1) + 1 + room[0] : 0;
}

static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  (void)user;
  const dsh_str *sent = &call->arguments;
  if (sent->size > 0 && depth_of(sent->data, sent->data + sent->size, 0) > 0)
    return fail(error, "a list is no object", "INVALID_ARGS");
  const int32_t status = good_arguments(call, error);
  return status == DSH_OK ? answer(call, value, text, error) : status;
}
