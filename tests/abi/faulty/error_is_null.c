/* check: tools.valid failed: the text of an error is null, but has a size of 5 bytes */
/* A size alone is no text. */
#define EXECUTE
#include "sound.h"

static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  (void)user, (void)call, (void)value, (void)text;
  error->set(error->ctx, NULL, 5, NULL, NULL);
  return DSH_ERROR;
}
