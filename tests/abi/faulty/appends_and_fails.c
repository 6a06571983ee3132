/* check: tools.append_last failed: failed after it had appended */
/* A failed call leaves an event behind. */
#define APPEND_NOTE
#include "sound.h"

static int32_t append_note(const dsh_call *call, const dsh_error *error) {
  const int32_t status = call->session->append(call->session, &note_type, note_data, NOTE_SIZE, NULL, error);
  return status == DSH_OK ? fail(error, "changed my mind", NULL) : status;
}
