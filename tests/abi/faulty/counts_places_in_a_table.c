/* check: observers.anything crashed: SIGSEGV: an observer's committed of .*, event [0-9]+ of its session */
/* A log is as long as it is. */
#define OBSERVE
#include "sound.h"

static char seen[100000];

static void DSH_CALL observe(void *user, const dsh_session *session, const dsh_event *event) {
  (void)user, (void)session;
  seen[event->seq]++;
}
