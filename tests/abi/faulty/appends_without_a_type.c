/* check: services.sound failed: append was given an event type that is empty */
/* An event that nobody can listen to. */
#define APPEND_NOTE
#include "sound.h"

static int32_t append_note(const dsh_call *call, const dsh_error *error) {
  static const dsh_str type = DSH_STR("");
  return call->session->append(call->session, &type, "{}", 2, NULL, error);
}
