/* check: services.sound failed: in execute: append was given data that lies in memory that may not be read */
/* innocent: host.loads host.services */
/* A pointer to nothing. */
#define APPEND_NOTE
#include "sound.h"

static int32_t append_note(const dsh_call *call, const dsh_error *error) {
  return call->session->append(call->session, &note_type, (const char *)64, 5, NULL, error);
}
