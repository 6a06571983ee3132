/* check: services.sound failed: in execute: append was given an event type that is no UTF-8 */
/* Names are texts. */
#define APPEND_NOTE
#include "sound.h"

static int32_t append_note(const dsh_call *call, const dsh_error *error) {
  static const dsh_str type = DSH_STR("n\366te");
  return call->session->append(call->session, &type, "{}", 2, NULL, error);
}
