/* check: services.sound failed: in execute: append was given data that is null, but has a size of 5 bytes */
/* A size alone is no text. */
#define APPEND_NOTE
#include "sound.h"

static int32_t append_note(const dsh_call *call, const dsh_error *error) {
  return call->session->append(call->session, &note_type, NULL, 5, NULL, error);
}
