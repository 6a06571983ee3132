// error: read-only|cannot assign
// An event is the log's.
#include <dsh/sessions.h>
void committed(void *, const dsh_session *, const dsh_event *event);
void committed(void *, const dsh_session *, const dsh_event *event) {
#ifdef MISTAKE
  event->seq = 0;
#endif
  (void)event;
}
