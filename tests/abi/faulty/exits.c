/* check: tools.valid crashed: exit status 3: execute of note */
/* A guest does not end the house. */
#define ANSWER
#include "sound.h"

static int32_t answer(const dsh_call *call, const dsh_out *value, const dsh_out *text,
                      const dsh_error *error) {
  (void)call, (void)value, (void)text, (void)error;
  exit(3);
}
