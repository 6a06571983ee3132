/* check: projections.restore failed: of its own state */
/* A checkpoint can never be used. */
#define RESTORE
#include "sound.h"

static int32_t DSH_CALL restore(void *user, const dsh_str *stored, const dsh_out *state,
                                const dsh_error *error) {
  (void)user, (void)stored, (void)state;
  return fail(error, "not sound", NULL);
}
