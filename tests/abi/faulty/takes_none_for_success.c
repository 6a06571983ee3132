/* check: tools.append_fails failed: whose append returns 3 succeeded, though nothing was appended */
/* DSH_NONE is a failure where the comment of a function does not name it. */
#define APPEND_NOTE
#include "sound.h"

static int32_t append_note(const dsh_call *call, const dsh_error *error) {
  const int32_t status = call->session->append(call->session, &note_type, note_data, NOTE_SIZE, NULL, error);
  return status == DSH_NONE ? DSH_OK : status;
}
