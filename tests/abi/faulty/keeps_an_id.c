/* check: services.handles crashed: SIGSEGV: execute of note */
/* The id of a handle lives as long as the handle. */
#define APPEND_NOTE
#include "sound.h"

static int32_t append_note(const dsh_call *call, const dsh_error *error) {
  static dsh_str kept;
  if (kept.size == 0) kept = call->session->id;
  if (memchr(kept.data, 33, kept.size) != NULL) return fail(error, "a session of that name", NULL);
  return call->session->append(call->session, &note_type, note_data, NOTE_SIZE, NULL, error);
}
