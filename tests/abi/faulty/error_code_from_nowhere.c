/* check: services.sound failed: in execute: the code of an error lies in memory that may not be read */
/* innocent: host.loads host.services */
/* A pointer to nothing. */
#define EXECUTE
#include "sound.h"

static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  (void)user, (void)call, (void)value, (void)text;
  error->set(error->ctx, "no", 2, NULL, (const char *)64);
  return DSH_ERROR;
}
