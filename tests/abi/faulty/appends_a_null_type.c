/* check: services.sound failed: an event type that is null, but has a size of 5 bytes */
/* innocent: tools.append_legal */
/* A size alone is no text. */
#define APPEND_NOTE
#include "sound.h"

static int32_t append_note(const dsh_call *call, const dsh_error *error) {
  static const dsh_str type = {NULL, 5};
  return call->session->append(call->session, &type, "{}", 2, NULL, error);
}
