/* check: tools.durable warning: the type "note/add", which log format 0 does not know */
/* A type that no session on disk takes. */
#define APPEND_NOTE
#include "sound.h"

static int32_t append_note(const dsh_call *call, const dsh_error *error) {
  static const dsh_str type = DSH_STR("note/add");
  return call->session->append(call->session, &type, "{}", 2, NULL, error);
}
