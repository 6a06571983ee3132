/* Registers what its config names, and logs what happens to it: for the tests of the host.
 *
 * The words of the config: tool, rule, unit, observer register; other registers a second tool; fail
 * fails after that; inside_execute says that an `add` outside `apply` was refused. */
#define NO_INJECT
#define NO_APPLY
#include <dsh/dsh.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"

EXPORTED const char *const inject[] = {"tools", NULL};

struct probe {
  const dsh_host *host;
};

static int has(const char *config, size_t size, const char *word) {
  const size_t length = strlen(word);
  for (size_t i = 0; i + length <= size; ++i) {
    if (memcmp(config + i, word, length) == 0) {
      return 1;
    }
  }
  return 0;
}

static void say(const dsh_host *host, const char *text) { host->log(host, DSH_INFO, text, strlen(text)); }

static void DSH_CALL dispose(void *user) {
  struct probe *self = user;
  say(self->host, "dispose");
  free(self);
}

static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  (void)user;
  const dsh_str type = DSH_STR("probe/ran");
  value->write(value->ctx, "{}", 2);
  text->write(text->ctx, "ran", 3);
  if (call->session == NULL) {
    return DSH_OK;
  }
  return call->session->append(call->session, &type, call->arguments.data, call->arguments.size, NULL, error);
}

static int32_t DSH_CALL execute_and_add(void *user, const dsh_call *call, const dsh_out *value,
                                        const dsh_out *text, const dsh_error *error) {
  (void)call;
  (void)value;
  (void)text;
  const dsh_host *host = ((struct probe *)user)->host;
  const dsh_tools *tools = host->service(host, DSH_TOOLS);
  dsh_tool late = {.struct_size = sizeof late, .name = DSH_STR("late"), .execute = execute};
  return tools->add(host, &late, error);
}

static int32_t DSH_CALL check(void *user, const void *trace, const dsh_event *event, const dsh_error *error) {
  (void)user;
  (void)trace;
  if (event->type.size == 3 && memcmp(event->type.data, "bad", 3) == 0) {
    error->set(error->ctx, "it is bad", 9, NULL, NULL);
    return DSH_VIOLATED;
  }
  return DSH_OK;
}

static int32_t DSH_CALL fold(void *user, const dsh_str *state, const dsh_event *event, const dsh_out *next,
                             const dsh_error *error) {
  (void)user;
  (void)state;
  (void)error;
  return next->write(next->ctx, event->data.data, event->data.size);
}

static int32_t DSH_CALL view(void *user, const dsh_str *state, const dsh_out *out, const dsh_error *error) {
  (void)user;
  (void)error;
  return out->write(out->ctx, state->data, state->size);
}

static void DSH_CALL created(void *user, const dsh_session *session) {
  (void)session;
  say(((struct probe *)user)->host, "created");
}

static void DSH_CALL disposed(void *user, const dsh_session *session) {
  (void)session;
  say(((struct probe *)user)->host, "disposed");
}

static int32_t add_all(struct probe *self, const char *config, size_t size, const dsh_error *error) {
  const dsh_host *host = self->host;
  int32_t status = DSH_OK;
  if (status == DSH_OK && has(config, size, "observer")) {
    const dsh_sessions *sessions = host->service(host, DSH_SESSIONS);
    dsh_observer observer = {
        .struct_size = sizeof observer, .user = self, .created = created, .disposed = disposed};
    status = sessions->add(host, &observer, error);
  }
  if (status == DSH_OK && has(config, size, "tool")) {
    const dsh_tools *tools = host->service(host, DSH_TOOLS);
    dsh_tool tool = {.struct_size = sizeof tool,
                     .user = self,
                     .name = DSH_STR("probe"),
                     .parameters = DSH_STR("{\"type\":\"object\"}"),
                     .execute = execute};
    status = tools->add(host, &tool, error);
  }
  if (status == DSH_OK && has(config, size, "other")) {
    const dsh_tools *tools = host->service(host, DSH_TOOLS);
    dsh_tool tool = {.struct_size = sizeof tool,
                     .user = self,
                     .name = DSH_STR("other"),
                     .parameters = DSH_STR("{\"type\":\"object\"}"),
                     .execute = execute_and_add};
    status = tools->add(host, &tool, error);
  }
  if (status == DSH_OK && has(config, size, "rule")) {
    const dsh_invariants *invariants = host->service(host, DSH_INVARIANTS);
    dsh_invariant rule = {.struct_size = sizeof rule, .owner = DSH_STR("@test/probe"), .check = check};
    status = invariants->add(host, &rule, error);
  }
  if (status == DSH_OK && has(config, size, "unit")) {
    const dsh_projections *projections = host->service(host, DSH_PROJECTIONS);
    dsh_unit unit = {.struct_size = sizeof unit,
                     .key = DSH_STR("probe"),
                     .state_version = 1,
                     .init = DSH_STR("null"),
                     .apply = fold,
                     .view = view};
    status = projections->add(host, &unit, error);
  }
  return status;
}

EXPORTED int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size,
                                const dsh_error *error) {
  struct probe *self = malloc(sizeof *self);
  if (self == NULL) {
    return DSH_NO_MEMORY;
  }
  self->host = host;
  if (host->on_dispose(host, dispose, self) != DSH_OK) {
    free(self);
    return DSH_ERROR;
  }
  say(host, "apply");
  const int32_t status = add_all(self, config, size, error);
  if (status == DSH_OK && has(config, size, "fail")) {
    error->set(error->ctx, "told to fail", 12, "ProbeError", "INVALID_CONFIG");
    return DSH_ERROR;
  }
  return status;
}
