/* limit: 10 */
/* Its tool takes a while, as one does that asks a network. */
#define _POSIX_C_SOURCE 199309L
#define ANSWER
#include <time.h>

#include "sound.h"

static int32_t answer(const dsh_call *call, const dsh_out *value, const dsh_out *text,
                      const dsh_error *error) {
  (void)call, (void)error;
  const struct timespec a_while = {0, 50 * 1000 * 1000};
  nanosleep(&a_while, NULL);
  const int32_t status = say(value, "{\"ok\":true}");
  return status == DSH_OK ? say(text, "Noted.") : status;
}
