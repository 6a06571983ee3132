/* check: services.handles failed: append was given a copy of a dsh_session */
/* A handle is known by where it lies. */
#define APPEND_NOTE
#include "sound.h"

static int32_t append_note(const dsh_call *call, const dsh_error *error) {
  const dsh_session copy = *call->session;
  return copy.append(&copy, &note_type, note_data, NOTE_SIZE, NULL, error);
}
