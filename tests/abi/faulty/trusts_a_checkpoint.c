/* check: projections.anything crashed: SIGSEGV: restore */
/* A checkpoint may come from anywhere. */
#define RESTORE
#include "sound.h"

static int32_t DSH_CALL restore(void *user, const dsh_str *stored, const dsh_out *state,
                                const dsh_error *error) {
  (void)user, (void)error;
  const char *colon = stored->data;
  while (*colon != ':') colon++;
  return state->write(state->ctx, stored->data, stored->size);
}
