/* check: services.handles failed: in execute, a call that is not made for that session */
/* An observer's handle lives long, and is for calls of its session alone. */
#define EXECUTE
#define APPLY
#include "sound.h"

static const dsh_session *first;

static void DSH_CALL created(void *user, const dsh_session *session) {
  (void)user;
  if (first == NULL) first = session;
}

static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  static const char data[] = "{\"note\":true}";
  (void)user;
  if (!looks_like_object(call->arguments.data, call->arguments.size))
    return fail(error, "the arguments must be an object", "INVALID_ARGS");
  if (call->session == NULL) return fail(error, "note requires an owning session", NULL);
  int32_t status = say(value, "{\"ok\":true}");
  if (status == DSH_OK) status = say(text, "Noted.");
  return status != DSH_OK ? status : first->append(first, &note_type, data, sizeof data - 1, NULL, error);
}

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status == DSH_OK) status = add_all(host, NULL, error);
  const dsh_sessions *sessions = (const dsh_sessions *)host->service(host, DSH_SESSIONS);
  if (status != DSH_OK || sessions == NULL || !DSH_HAS(sessions, add)) return status;
  const dsh_observer observer = {.struct_size = sizeof observer, .created = created};
  first = NULL;
  return sessions->add(host, &observer, error);
}
