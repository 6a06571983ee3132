/* check: tools.append_fails failed: instead of the host */
/* The host knows why; the plugin says something else. */
#define APPEND_NOTE
#include "sound.h"

static int32_t append_note(const dsh_call *call, const dsh_error *error) {
  if (call->session->append(call->session, &note_type, note_data, NOTE_SIZE, NULL, error) != DSH_OK)
    return fail(error, "could not note it", NULL);
  return DSH_OK;
}
