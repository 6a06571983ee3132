/* check: tools.present failed: no object */
/* A UI expects an object. */
#define PRESENT
#include "sound.h"

static int32_t DSH_CALL present(void *user, const dsh_str *arguments, const dsh_out *card,
                                const dsh_error *error) {
  (void)user, (void)arguments, (void)error;
  return say(card, "\"Note\"");
}
