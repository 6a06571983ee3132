/* check: services.sound failed: append was given an event type whose dsh_str is null */
/* A type is not optional. */
#define APPEND_NOTE
#include "sound.h"

static int32_t append_note(const dsh_call *call, const dsh_error *error) {
  return call->session->append(call->session, NULL, note_data, NOTE_SIZE, NULL, error);
}
