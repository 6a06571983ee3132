/* check: services.handles failed: read was given a dsh_session in a unit's apply, which uses no session */
/* A fold sees its state and the event. */
#define FOLD
#define APPLY
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

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status == DSH_OK) status = add_all(host, NULL, error);
  const dsh_sessions *sessions = (const dsh_sessions *)host->service(host, DSH_SESSIONS);
  if (status != DSH_OK || sessions == NULL || !DSH_HAS(sessions, add)) return status;
  const dsh_observer observer = {.struct_size = sizeof observer, .created = created, .disposed = disposed};
  return sessions->add(host, &observer, error);
}
