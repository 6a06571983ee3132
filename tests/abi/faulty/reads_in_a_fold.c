/* check: services.handles failed: read was given a dsh_session in a unit's apply, which uses no session */
/* A fold sees its state and the event. */
#define FOLD
#define PREPARE
#include "sound.h"

static const dsh_session *watched;

static void DSH_CALL created(void *user, const dsh_session *session) {
  (void)user;
  watched = session;
}

static void DSH_CALL disposed(void *user, const dsh_session *session) {
  (void)user;
  if (watched == session) watched = NULL;
}

static int32_t DSH_CALL each(void *user, const dsh_event *event) {
  (void)user, (void)event;
  return DSH_OK;
}

static int32_t DSH_CALL fold(void *user, const dsh_str *state, const dsh_event *event, const dsh_out *next,
                             const dsh_error *error) {
  (void)user, (void)state;
  if (watched != NULL) watched->read(watched, 0, each, NULL, error);
  return next->write(next->ctx, event->data.data, event->data.size);
}

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  const dsh_observer observer = {.struct_size = sizeof observer, .created = created, .disposed = disposed};
  return register_observer(host, &observer, error);
}
