/* check: tools.append_fails warning: appends 2 events: where a later one is refused, the earlier ones stay */
/* innocent: tools.append_last tools.append_legal */
/* Two events are not one: the log of a call that failed at the second holds the first. */
#define APPEND_NOTE
#include "sound.h"

static int32_t append_note(const dsh_call *call, const dsh_error *error) {
  const dsh_session *session = call->session;
  const int32_t status = session->append(session, &note_type, note_data, NOTE_SIZE, NULL, error);
  return status == DSH_OK ? session->append(session, &note_type, note_data, NOTE_SIZE, NULL, error) : status;
}
