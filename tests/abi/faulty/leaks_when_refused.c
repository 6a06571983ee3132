/* check: life.refused_calls failed: that the host refuses leaves about */
/* The way out that is seldom taken. */
#define APPEND_NOTE
#include "sound.h"

static int32_t append_note(const dsh_call *call, const dsh_error *error) {
  char *volatile copy = malloc(100);
  if (copy == NULL) return DSH_NO_MEMORY;
  memset(copy, 1, 100);
  const int32_t status = call->session->append(call->session, &note_type, note_data, NOTE_SIZE, NULL, error);
  if (status == DSH_OK) free(copy);
  return status;
}
