/* check: services.handles failed: append was given the dsh_error of a call that has ended */
/* Valid during the call it is given to. */
#define APPEND_NOTE
#include "sound.h"

static int32_t append_note(const dsh_call *call, const dsh_error *error) {
  static const dsh_error *kept;
  if (kept == NULL) kept = error;
  return call->session->append(call->session, &note_type, note_data, NOTE_SIZE, NULL, kept);
}
