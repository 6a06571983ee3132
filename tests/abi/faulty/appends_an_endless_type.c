/* check: services.sound failed: an event type that has a size of 1099511627776 bytes */
/* innocent: tools.append_legal */
/* A size that nothing has. */
#define APPEND_NOTE
#include "sound.h"

static int32_t append_note(const dsh_call *call, const dsh_error *error) {
  static const dsh_str type = {"note", (size_t)1 << 40};
  return call->session->append(call->session, &type, "{}", 2, NULL, error);
}
