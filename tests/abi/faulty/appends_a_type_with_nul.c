/* check: services.sound failed: append was given an event type that holds a NUL */
/* sizeof counts the NUL. */
#define APPEND_NOTE
#include "sound.h"

static int32_t append_note(const dsh_call *call, const dsh_error *error) {
  static const dsh_str type = {"feedback/record", sizeof "feedback/record"};
  return call->session->append(call->session, &type, "{}", 2, NULL, error);
}
