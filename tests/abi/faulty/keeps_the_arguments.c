/* check: tools.valid crashed: SIGSEGV: execute of note */
/* A view outlives the call that it was given to. */
#define ANSWER
#include "sound.h"

static int32_t answer(const dsh_call *call, const dsh_out *value, const dsh_out *text,
                      const dsh_error *error) {
  (void)error;
  static const char *before;
  const int same = before != NULL && *before == '{';
  before = call->arguments.data;
  say(value, "{\"ok\":true}");
  return say(text, same ? "Again." : "Noted.");
}
