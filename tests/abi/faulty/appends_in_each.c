/* check: tools.append_legal failed: append was called where it is not legal */
/* innocent: life.calls life.sessions life.refused_calls */
/* While a log is read it does not grow. What it does wrong again and again is no leak. */
#define APPEND_NOTE
#include "sound.h"

struct reading {
  const dsh_session *session;
  const dsh_error *error;
};

static int32_t DSH_CALL each(void *user, const dsh_event *event) {
  const struct reading *now = user;
  (void)event;
  now->session->append(now->session, &note_type, note_data, NOTE_SIZE, NULL, now->error);
  return DSH_NONE;
}

static int32_t append_note(const dsh_call *call, const dsh_error *error) {
  struct reading now = {call->session, error};
  call->session->read(call->session, 0, each, &now, error);
  return call->session->append(call->session, &note_type, note_data, NOTE_SIZE, NULL, error);
}
