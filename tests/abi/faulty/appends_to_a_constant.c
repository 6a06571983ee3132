/* check: services.sound failed: a .seq. that lies in memory that may not be written */
/* Where the position goes to. */
#define APPEND_NOTE
#include "sound.h"

static int32_t append_note(const dsh_call *call, const dsh_error *error) {
  static const int64_t seq = 1;
  return call->session->append(call->session, &note_type, note_data, NOTE_SIZE, (int64_t *)(uintptr_t)&seq,
                               error);
}
