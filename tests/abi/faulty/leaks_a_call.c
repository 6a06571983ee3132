/* check: life.calls failed: bytes on the heap */
/* A hundred bytes a call: a long session ends out of memory. */
#define EXECUTE
#include "sound.h"

static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  (void)user, (void)call, (void)value, (void)text, (void)error;
  char *volatile copy = malloc(100);
  if (copy == NULL) return DSH_NO_MEMORY;
  memset(copy, 1, 100);
  return fail(error, "not today", NULL);
}
