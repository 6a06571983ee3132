/* check: tools.invalid failed: though the arguments break its schema */
/* A model that sends nonsense is told that all is well. */
#define EXECUTE
#include "sound.h"

static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  (void)user, (void)call, (void)value, (void)text, (void)error;
  say(value, "{\"ok\":true}");
  return say(text, "Noted.");
}
