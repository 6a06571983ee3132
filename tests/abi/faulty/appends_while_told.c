/* check: tools.append_legal failed: while an event was being published */
/* An observer that answers an event with an event never ends. */
#define OBSERVE
#include "sound.h"

static void DSH_CALL ignore(void *ctx, const char *text, size_t size, const char *class, const char *code) {
  (void)ctx, (void)text, (void)size, (void)class, (void)code;
}
static void DSH_CALL observe(void *user, const dsh_session *session, const dsh_event *event) {
  (void)user;
  const dsh_error error = {NULL, ignore};
  session->append(session, &event->type, event->data.data, event->data.size, NULL, &error);
}
