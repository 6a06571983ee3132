/* check: life.deterministic warning: right for a clock or an id */
/* innocent: life.again life.side_by_side life.threads tools.valid tools.append_last tools.sinks */
/* What `execute` answers may come from anywhere: units, rules, `render` and `present` are the pure ones. */
#define _POSIX_C_SOURCE 199309L
#define ANSWER
#include <time.h>

#include "sound.h"

static int32_t answer(const dsh_call *call, const dsh_out *value, const dsh_out *text,
                      const dsh_error *error) {
  (void)call, (void)error;
  char line[64];
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  snprintf(line, sizeof line, "It is %lld.%09ld.", (long long)now.tv_sec, now.tv_nsec);
  say(value, "{\"ok\":true}");
  return say(text, line);
}
