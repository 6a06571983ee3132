/* check: services.sound failed: append was given an event type of 300 bytes: 255 is the most */
/* Longer than any host need keep. */
#define APPEND_NOTE
#include "sound.h"

static int32_t append_note(const dsh_call *call, const dsh_error *error) {
  static char letters[300];
  const dsh_str type = {memset(letters, 116, sizeof letters), sizeof letters};
  return call->session->append(call->session, &type, "{}", 2, NULL, error);
}
