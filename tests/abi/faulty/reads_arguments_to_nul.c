/* check: tools.valid crashed: SIGSEGV: execute of note */
/* The arguments are not terminated. */
#define EXECUTE
#include "sound.h"

static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  (void)user, (void)call, (void)value, (void)text, (void)error;
  char line[64];
  snprintf(line, sizeof line, "%lu letters", (unsigned long)strlen(call->arguments.data));
  say(value, "{\"ok\":true}");
  return say(text, line);
}
