/* check: invariants.anything crashed: SIGSEGV: check of feedback/record \[\[\[ */
/* An event may come from a log that this plugin did not write. */
#define CHECK
#include "sound.h"

static int depth_of(const char *text, const char *end) {
  volatile char room[2000];
  room[0] = 0;
  return text < end && *text == '[' ? depth_of(text + 1, end) + 1 + room[0] : 0;
}

static int32_t DSH_CALL check(void *user, const void *trace, const dsh_event *event, const dsh_error *error) {
  (void)user, (void)trace;
  if (depth_of(event->data.data, event->data.data + event->data.size) == 0) return DSH_OK;
  fail(error, "a note is no list", NULL);
  return DSH_VIOLATED;
}
