/* check: life.sessions failed: each session .* bytes on the heap */
/* Only a call that has a session leaks. */
#define APPEND_NOTE
#include "sound.h"

static int32_t append_note(const dsh_call *call, const dsh_error *error) {
  char *volatile copy = malloc(100);
  if (copy == NULL) return DSH_NO_MEMORY;
  memset(copy, 1, 100);
  return call->session->append(call->session, &note_type, note_data, NOTE_SIZE, NULL, error);
}
