/* check: tools.append_fails failed: whose append number 2 returns .* succeeded, though not all was */
/* The first one is looked at, the second one hoped for. */
#define APPEND_NOTE
#include "sound.h"

static int32_t append_note(const dsh_call *call, const dsh_error *error) {
  const dsh_session *session = call->session;
  const int32_t status = session->append(session, &note_type, note_data, NOTE_SIZE, NULL, error);
  if (status == DSH_OK) session->append(session, &note_type, note_data, NOTE_SIZE, NULL, error);
  return status;
}
