/* check: life.deterministic failed: present answers otherwise to the same input */
/* A card is drawn again whenever a log is shown: it may not tell when that was. */
#define _POSIX_C_SOURCE 199309L
#define PRESENT
#include <time.h>

#include "sound.h"

static int32_t DSH_CALL present(void *user, const dsh_str *arguments, const dsh_out *card,
                                const dsh_error *error) {
  (void)user, (void)arguments, (void)error;
  char line[64];
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  snprintf(line, sizeof line, "{\"at\":\"%lld.%09ld\"}", (long long)now.tv_sec, now.tv_nsec);
  return say(card, line);
}
