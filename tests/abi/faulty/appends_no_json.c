/* check: services.sound failed: data that is not JSON */
/* What every later reader of the log trips over. */
#define APPEND_NOTE
#include "sound.h"

static int32_t append_note(const dsh_call *call, const dsh_error *error) {
  static const char data[] = "{note}";
  return call->session->append(call->session, &note_type, data, sizeof data - 1, NULL, error);
}
