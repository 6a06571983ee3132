/* check: tools.present failed: another card */
/* present is pure. */
#define PRESENT
#include "sound.h"

static int32_t DSH_CALL present(void *user, const dsh_str *arguments, const dsh_out *card,
                                const dsh_error *error) {
  (void)user, (void)arguments, (void)error;
  static int odd;
  return say(card, (odd ^= 1) ? "{}" : "{\"again\":true}");
}
