/* check: life.deterministic warning: to the same input */
/* An address in the output tells where code lies, and changes with every run. */
#define ANSWER
#include "sound.h"

static int32_t answer(const dsh_call *call, const dsh_out *value, const dsh_out *text,
                      const dsh_error *error) {
  (void)call, (void)error;
  char line[64];
  char *place = malloc(100);
  snprintf(line, sizeof line, "At %p.", (void *)place);
  free(place);
  say(value, "{\"ok\":true}");
  return say(text, line);
}
