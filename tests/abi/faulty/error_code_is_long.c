/* check: tools.valid failed: the code of an error does not end with a NUL within 255 bytes */
/* A word is no text. */
#define EXECUTE
#include "sound.h"

static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  (void)user, (void)call, (void)value, (void)text;
  static char code[400];
  memset(code, 67, sizeof code - 1);
  error->set(error->ctx, "no", 2, NULL, code);
  return DSH_ERROR;
}
