/* check: services.handles failed: append was given the dsh_session of a call that has ended */
/* A handle lives until execute returns. */
#define APPEND_NOTE
#include "sound.h"

static int32_t append_note(const dsh_call *call, const dsh_error *error) {
  static const dsh_session *kept;
  if (kept == NULL) kept = call->session;
  return kept->append(kept, &note_type, note_data, NOTE_SIZE, NULL, error);
}
