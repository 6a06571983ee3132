/* check: services.sound failed: append was given a dsh_error that is null */
/* A dsh_error is never null. */
#define APPEND_NOTE
#include "sound.h"

static int32_t append_note(const dsh_call *call, const dsh_error *error) {
  (void)error;
  return call->session->append(call->session, &note_type, note_data, NOTE_SIZE, NULL, NULL);
}
