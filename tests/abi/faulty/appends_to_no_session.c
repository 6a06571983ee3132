/* check: services.sound failed: append was given a dsh_session that is null */
/* The handle goes with its function. */
#define APPEND_NOTE
#include "sound.h"

static int32_t append_note(const dsh_call *call, const dsh_error *error) {
  return call->session->append(NULL, &note_type, note_data, NOTE_SIZE, NULL, error);
}
