/* check: tools.valid failed: the name of an error is not ASCII */
/* A word that programs compare. */
#define EXECUTE
#include "sound.h"

static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  (void)user, (void)call, (void)value, (void)text;
  error->set(error->ctx, "no", 2, "B\374roError", NULL);
  return DSH_ERROR;
}
