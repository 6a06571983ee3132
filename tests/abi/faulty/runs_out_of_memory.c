/* check: tools.memory crashed: SIGSEGV: execute of note */
/* What malloc returned is used without a look. */
#define EXECUTE
#include "sound.h"

static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  (void)user, (void)call, (void)value, (void)text, (void)error;
  if (!looks_like_object(call->arguments.data, call->arguments.size))
    return fail(error, "the arguments must be an object", "INVALID_ARGS");
  char *copy = malloc(call->arguments.size * 4);
  memset(copy, 'x', call->arguments.size * 4);
  const int odd = copy[call->arguments.size] != 'x';
  free(copy);
  say(value, "{\"ok\":true}");
  return say(text, odd ? "Odd." : "Noted.");
}
