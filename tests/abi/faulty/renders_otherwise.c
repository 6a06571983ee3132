/* check: tools.render failed: execute said */
/* Two texts for one value. */
#define RENDER
#include "sound.h"

static int32_t DSH_CALL render(void *user, const dsh_str *arguments, const dsh_str *value,
                               const dsh_out *text, const dsh_error *error) {
  (void)user, (void)arguments, (void)value, (void)error;
  return say(text, "Noted!");
}
