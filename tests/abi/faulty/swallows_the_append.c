/* check: tools.append_fails failed: though nothing was appended */
/* The model believes that it is noted. */
#define APPEND_NOTE
#include "sound.h"

static int32_t append_note(const dsh_call *call, const dsh_error *error) {
  call->session->append(call->session, &note_type, note_data, NOTE_SIZE, NULL, error);
  return DSH_OK;
}
