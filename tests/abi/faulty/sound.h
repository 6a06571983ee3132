/* A sound plugin in pieces. Each file of this folder replaces one piece by a wrong one, by defining its
 * name before it includes this: what `check` then reports can only be that. The pieces are macros of texts
 * (OWNER, KEY, …) and functions, which are defined below the include: ANSWER and APPEND_NOTE of a call,
 * EXECUTE for all of it, PREPARE of apply, APPLY for all of it, CHECK, COMMITTED, FOLD, VIEW and so on.
 *
 * It has a tool that appends an event, an invariant that counts those events, a decisive projection of the
 * last one, and an observer. */
#include <dsh/dsh.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef OWN_SYMBOLS
#include <dsh/plugin.h>
#endif

static inline int32_t fail(const dsh_error *error, const char *text, const char *code) {
  error->set(error->ctx, text, strlen(text), NULL, code);
  return DSH_ERROR;
}

static inline int32_t say(const dsh_out *out, const char *text) {
  return out->write(out->ctx, text, strlen(text));
}

/* {"n":<digits>}, {} or a text that begins with {" and ends with }: the JSON that this plugin knows. */
static inline int looks_like_object(const char *data, size_t size) {
  return size >= 2 && data[0] == '{' && (data[1] == '"' || data[1] == '}') && data[size - 1] == '}';
}

#ifndef PARAMETERS
#define PARAMETERS "{\"type\":\"object\",\"properties\":{}}"
#endif
#ifndef OUTPUT
#define OUTPUT                                                                                 \
  "{\"type\":\"object\",\"properties\":{\"ok\":{\"type\":\"boolean\"}},\"required\":[\"ok\"]," \
  "\"additionalProperties\":false}"
#endif
#ifndef TOOL_NAME
#define TOOL_NAME "note"
#endif
#ifndef OWNER
#define OWNER "@example/notes"
#endif
#ifndef DESCRIPTION
#define DESCRIPTION "Notes something."
#endif
#ifndef KEY
#define KEY "lastNote"
#endif
#ifndef TYPES
#define TYPES \
  { DSH_STR("feedback/record") }
#endif
#ifndef TRACE_SIZE
#define TRACE_SIZE sizeof(int64_t)
#endif
#ifndef INIT
#define INIT "null"
#endif

static const dsh_str note_type = DSH_STR("feedback/record");
/* What the rule, the projection and the observer listen to. */
static const dsh_str types[] = TYPES;

/* ---- the tool: looks at its arguments, answers, and notes that it was called ---- */

static const char note_data[] = "{\"note\":true}";
#define NOTE_SIZE (sizeof note_data - 1)

static inline int32_t good_arguments(const dsh_call *call, const dsh_error *error) {
  return looks_like_object(call->arguments.data, call->arguments.size)
             ? DSH_OK
             : fail(error, "the arguments must be an object", "INVALID_ARGS");
}

static int32_t answer(const dsh_call *call, const dsh_out *value, const dsh_out *text,
                      const dsh_error *error);
#ifndef ANSWER
static int32_t answer(const dsh_call *call, const dsh_out *value, const dsh_out *text,
                      const dsh_error *error) {
  (void)call, (void)error;
  const int32_t status = say(value, "{\"ok\":true}");
  return status == DSH_OK ? say(text, "Noted.") : status;
}
#endif

static int32_t append_note(const dsh_call *call, const dsh_error *error);
#ifndef APPEND_NOTE
static int32_t append_note(const dsh_call *call, const dsh_error *error) {
  return call->session->append(call->session, &note_type, note_data, NOTE_SIZE, NULL, error);
}
#endif

static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error);
#ifndef EXECUTE
static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  (void)user;
  int32_t status = good_arguments(call, error);
  if (status == DSH_OK && call->session == NULL) return fail(error, "note requires an owning session", NULL);
  if (status == DSH_OK) status = answer(call, value, text, error);
  return status == DSH_OK ? append_note(call, error) : status;
}
#endif

#ifdef RENDER
static int32_t DSH_CALL render(void *user, const dsh_str *arguments, const dsh_str *value,
                               const dsh_out *text, const dsh_error *error);
#define RENDER_PIECE render
#else
#define RENDER_PIECE NULL
#endif
#ifdef PRESENT
static int32_t DSH_CALL present(void *user, const dsh_str *arguments, const dsh_out *card,
                                const dsh_error *error);
#define PRESENT_PIECE present
#else
#define PRESENT_PIECE NULL
#endif

/* ---- the invariant: a log holds at most a million notes ---- */

static int32_t DSH_CALL check(void *user, const void *trace, const dsh_event *event, const dsh_error *error);
static void DSH_CALL committed(void *user, void *trace, const dsh_event *event);
#ifndef CHECK
static int32_t DSH_CALL check(void *user, const void *trace, const dsh_event *event, const dsh_error *error) {
  (void)user, (void)event;
  if (*(const int64_t *)trace < 1000000) return DSH_OK;
  fail(error, "the log holds a million notes", NULL);
  return DSH_VIOLATED;
}
#endif
#ifndef COMMITTED
static void DSH_CALL committed(void *user, void *trace, const dsh_event *event) {
  (void)user, (void)event;
  ++*(int64_t *)trace;
}
#endif

/* ---- the projection: the data of the last note ---- */

static int32_t DSH_CALL fold(void *user, const dsh_str *state, const dsh_event *event, const dsh_out *next,
                             const dsh_error *error);
static int32_t DSH_CALL view(void *user, const dsh_str *state, const dsh_out *out, const dsh_error *error);
#ifndef FOLD
static int32_t DSH_CALL fold(void *user, const dsh_str *state, const dsh_event *event, const dsh_out *next,
                             const dsh_error *error) {
  (void)user, (void)state, (void)error;
  return next->write(next->ctx, event->data.data, event->data.size);
}
#endif
#ifndef VIEW
static int32_t DSH_CALL view(void *user, const dsh_str *state, const dsh_out *out, const dsh_error *error) {
  (void)user, (void)error;
  return out->write(out->ctx, state->data, state->size);
}
#endif
#ifdef RESTORE
static int32_t DSH_CALL restore(void *user, const dsh_str *stored, const dsh_out *state,
                                const dsh_error *error);
#define RESTORE_PIECE restore
#else
#define RESTORE_PIECE NULL
#endif

/* ---- the observer ---- */

#ifdef OBSERVE
static void DSH_CALL observe(void *user, const dsh_session *session, const dsh_event *event);
#else
static void DSH_CALL observe(void *user, const dsh_session *session, const dsh_event *event) {
  (void)user, (void)session, (void)event;
}
#endif

/* ---- registering: `apply` of every file that does not bring its own ---- */

static inline int32_t register_tool(const dsh_host *host, const dsh_tool *tool, const dsh_error *error) {
  const dsh_tools *tools = (const dsh_tools *)host->service(host, DSH_TOOLS);
  if (tools == NULL || !DSH_HAS(tools, add)) return fail(error, "the host has no tools service", NULL);
  return tools->add(host, tool, error);
}

static inline int32_t register_invariant(const dsh_host *host, const dsh_invariant *invariant,
                                         const dsh_error *error) {
  const dsh_invariants *invariants = (const dsh_invariants *)host->service(host, DSH_INVARIANTS);
  return invariants == NULL || !DSH_HAS(invariants, add) ? DSH_OK : invariants->add(host, invariant, error);
}

static inline int32_t register_unit(const dsh_host *host, const dsh_unit *unit, const dsh_error *error) {
  const dsh_projections *projections = (const dsh_projections *)host->service(host, DSH_PROJECTIONS);
  return projections == NULL || !DSH_HAS(projections, add) ? DSH_OK : projections->add(host, unit, error);
}

static inline int32_t register_observer(const dsh_host *host, const dsh_observer *observer,
                                        const dsh_error *error) {
  const dsh_sessions *sessions = (const dsh_sessions *)host->service(host, DSH_SESSIONS);
  return sessions == NULL || !DSH_HAS(sessions, add) ? DSH_OK : sessions->add(host, observer, error);
}

/* Another of each, for a file to spoil and register besides. */
static const dsh_tool other_tool = {.struct_size = sizeof(dsh_tool),
                                    .name = DSH_STR("other"),
                                    .description = DSH_STR("Notes something else."),
                                    .parameters = DSH_STR(PARAMETERS),
                                    .execute = execute};
static const dsh_invariant other_invariant = {
    .struct_size = sizeof(dsh_invariant), .trace_size = 8, .owner = DSH_STR(OWNER), .check = check};
static const dsh_unit other_unit = {
    .struct_size = sizeof(dsh_unit), .key = DSH_STR("other"), .init = DSH_STR("null"), .apply = fold};

static inline int32_t add_tool(const dsh_host *host, void *user, const dsh_error *error) {
  const dsh_tool tool = {.struct_size = sizeof tool,
                         .mode = DSH_EXCLUSIVE,
                         .user = user,
                         .name = DSH_STR(TOOL_NAME),
                         .description = DSH_STR(DESCRIPTION),
                         .parameters = DSH_STR(PARAMETERS),
                         .output = DSH_STR(OUTPUT),
                         .execute = execute,
                         .render = RENDER_PIECE,
                         .present = PRESENT_PIECE};
  return register_tool(host, &tool, error);
}

static inline int32_t add_invariant(const dsh_host *host, void *user, const dsh_error *error) {
  const dsh_invariant invariant = {.struct_size = sizeof invariant,
                                   .trace_size = (uint32_t)(TRACE_SIZE),
                                   .user = user,
                                   .owner = DSH_STR(OWNER),
                                   .types = types,
                                   .type_count = sizeof types / sizeof *types,
                                   .check = check,
                                   .committed = committed};
  return register_invariant(host, &invariant, error);
}

static inline int32_t add_unit(const dsh_host *host, void *user, const dsh_error *error) {
  const dsh_unit unit = {.struct_size = sizeof unit,
                         .flags = DSH_DECISIVE,
                         .user = user,
                         .key = DSH_STR(KEY),
                         .state_version = 1,
                         .types = types,
                         .type_count = sizeof types / sizeof *types,
                         .init = DSH_STR(INIT),
                         .apply = fold,
                         .view = view,
                         .restore = RESTORE_PIECE};
  return register_unit(host, &unit, error);
}

static inline int32_t add_observer(const dsh_host *host, void *user, const dsh_error *error) {
  const dsh_observer observer = {.struct_size = sizeof observer,
                                 .user = user,
                                 .types = types,
                                 .type_count = sizeof types / sizeof *types,
                                 .committed = observe};
  return register_observer(host, &observer, error);
}

static inline int32_t add_all(const dsh_host *host, void *user, const dsh_error *error) {
  int32_t status = add_tool(host, user, error);
  if (status == DSH_OK) status = add_invariant(host, user, error);
  if (status == DSH_OK) status = add_unit(host, user, error);
  if (status == DSH_OK) status = add_observer(host, user, error);
  return status;
}

static inline int32_t good_host(const dsh_host *host, const dsh_error *error) {
  return DSH_HAS(host, log) ? DSH_OK : fail(error, "the host is too short for this plugin", NULL);
}

static inline int32_t good_config(const char *config, size_t size, const dsh_error *error) {
  if (size == 4 && memcmp(config, "null", 4) == 0) return DSH_OK;
  return looks_like_object(config, size) ? DSH_OK
                                         : fail(error, "the config must be an object", DSH_INVALID_CONFIG);
}

#ifndef OWN_SYMBOLS
#ifndef NAME
const char *const name = "sound";
#endif
#ifndef INJECT
const char *const inject[] = {DSH_TOOLS, NULL};
#endif
#ifdef CONFIG_SCHEMA
const char *const config_schema = CONFIG_SCHEMA;
#endif
#ifndef APPLY
/* What is done once host and config are good, before anything is registered. */
static int32_t prepare(const dsh_host *host, const dsh_error *error);
#ifndef PREPARE
static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  (void)host, (void)error;
  return DSH_OK;
}
#endif
int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status == DSH_OK) status = prepare(host, error);
  return status == DSH_OK ? add_all(host, NULL, error) : status;
}
#endif
#endif
