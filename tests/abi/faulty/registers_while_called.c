/* check: services.inside_apply failed: add was called outside apply */
/* A registration that no host expects. */
#define EXECUTE
#define APPLY
#include "sound.h"
static const dsh_host *the_host;
static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  (void)user, (void)call, (void)value, (void)text, (void)error;
  if (!looks_like_object(call->arguments.data, call->arguments.size))
    return fail(error, "the arguments must be an object", "INVALID_ARGS");
  if (call->session == NULL) return fail(error, "note requires an owning session", NULL);
  say(value, "{\"ok\":true}");
  say(text, "Noted.");
  add_invariant(the_host, NULL, error);
  return DSH_OK;
}
int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status != DSH_OK) return status;
  the_host = host;
  return add_tool(host, NULL, error);
}
