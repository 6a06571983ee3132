/* check: tools.memory crashed: SIGSEGV: execute of note */
/* What malloc returned is used without a look. */
#define EXECUTE
#include "sound.h"

static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  (void)user;
  if (good_arguments(call, error) != DSH_OK) return DSH_ERROR;
  char *copy = malloc(call->arguments.size * 4);
  memset(copy, 'x', call->arguments.size * 4);
  const int odd = copy[call->arguments.size] != 'x';
  free(copy);
  return odd ? fail(error, "odd", NULL) : answer(call, value, text, error);
}
