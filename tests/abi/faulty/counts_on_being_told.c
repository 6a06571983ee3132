/* check: services.trial crashed: SIGSEGV: apply to try a config, and dispose */
/* An instance may end without having been called. */
#define APPLY
#include "sound.h"

struct watcher {
  char *session;
};

static void DSH_CALL created(void *user, const dsh_session *session) {
  struct watcher *watcher = user;
  free(watcher->session);
  watcher->session = calloc(1, session->id.size + 1);
  if (watcher->session != NULL && session->id.size > 0)
    memcpy(watcher->session, session->id.data, session->id.size);
}

static void DSH_CALL end(void *user) {
  struct watcher *watcher = user;
  watcher->session[0] = '\0'; /* of the last session, for there is always one */
  free(watcher->session);
  free(watcher);
}

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status != DSH_OK) return status;
  struct watcher *watcher = calloc(1, sizeof *watcher);
  if (watcher == NULL) return DSH_NO_MEMORY;
  status = host->on_dispose(host, end, watcher);
  if (status != DSH_OK) {
    free(watcher);
    return fail(error, "the host keeps nothing", NULL);
  }
  const dsh_sessions *sessions = host->service(host, DSH_SESSIONS);
  if (sessions != NULL && DSH_HAS(sessions, add)) {
    const dsh_observer observer = {.struct_size = sizeof observer, .user = watcher, .created = created};
    status = sessions->add(host, &observer, error);
  }
  return status == DSH_OK ? add_tool(host, watcher, error) : status;
}
