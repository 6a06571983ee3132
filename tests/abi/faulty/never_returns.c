/* check: tools.valid crashed: did not end within */
/* limit: 2 */
/* A call that does not come back. */
#define EXECUTE
#include "sound.h"

static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  (void)user, (void)call, (void)value, (void)text, (void)error;
  static volatile int forever = 1;
  while (forever) {
  }
  return DSH_OK;
}
