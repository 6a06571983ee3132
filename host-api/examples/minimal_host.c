/* minimal_host PLUGIN CONFIG [TOOL ARGUMENTS]... - a whole host of dsh plugins in one file of plain C.
 *
 *     minimal_host ./dsh-tool-todo.so '{"allowParallelInProgress":true}' \
 *         todo_write '{"todos":[{"content":"Write a host","status":"in_progress"}]}'
 *
 * Applies the plugin with CONFIG, runs the calls in a turn of one session, prints what the model would
 * see and then every projection. Exit status: 0 done, 1 a call failed, 2 the plugin could not be loaded.
 * A host for production adds: many plugins and sessions, services that come and go, a log on disk, and
 * a JSON parser behind every "checked by the host". */
#include <dsh/dsh.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(_WIN32)
#include <windows.h>
#define dlopen(path, mode) ((void *)LoadLibraryA(path))
#define dlsym(library, id) ((void *)(uintptr_t)GetProcAddress(library, id))
#define dlclose(library) FreeLibrary(library)
#define dlerror() "LoadLibrary failed"
#else
#include <dlfcn.h>
#endif

enum { MAX = 16 }; /* registrations of a kind */

typedef struct {
  char *data;
  size_t size;
  int32_t status;
} buffer; /* what a sink collects */

typedef union kept {
  union kept *next;
  max_align_t aligned;
} kept; /* the head of a copy that lives as long as the host */

typedef struct {
  dsh_tool tools[MAX];
  dsh_invariant rules[MAX];
  void *traces[MAX]; /* of rules */
  dsh_unit units[MAX];
  buffer states[MAX]; /* of units */
  dsh_observer observers[MAX];
  void(DSH_CALL *dispose[MAX])(void *user);
  void *dispose_user[MAX];
  size_t tool_count, rule_count, unit_count, observer_count, dispose_count, event_count;
  int applying, executing, publishing;
  dsh_event *events;
  kept *kept;
} state;

/* ---- sinks, errors, memory ---- */
static int32_t DSH_CALL collect(void *ctx, const char *data, size_t size) {
  buffer *b = ctx;
  if (b->status != DSH_OK || size == 0) return b->status; /* sticky: see dsh_out */
  char *grown = realloc(b->data, b->size + size + 1);
  if (grown == NULL) return b->status = DSH_NO_MEMORY;
  memcpy(grown + b->size, data, size);
  *b = (buffer){grown, b->size + size, DSH_OK};
  b->data[b->size] = '\0';
  return DSH_OK;
}

static void DSH_CALL set(void *ctx, const char *text, size_t size, const char *name, const char *code) {
  (void)name, (void)code, ((buffer *)ctx)->size = 0; /* the last call counts */
  collect(ctx, text, size);
}

static int32_t fail(const dsh_error *error, const char *text) {
  error->set(error->ctx, text, strlen(text), NULL, NULL);
  return DSH_ERROR;
}

static void *keep(state *s, const void *data, size_t size) {
  kept *copy = calloc(1, sizeof *copy + size + 1);
  if (copy == NULL) return NULL;
  copy->next = s->kept;
  s->kept = copy;
  return data == NULL ? copy + 1 : memcpy(copy + 1, data, size);
}

static int keep_text(state *s, dsh_str *text) {
  return (text->data = keep(s, text->data, text->data == NULL ? 0 : text->size)) != NULL;
}

static int keep_types(state *s, const dsh_str **types, size_t count) {
  dsh_str *copy = keep(s, *types, count * sizeof *copy);
  for (size_t i = 0; copy != NULL && i < count; i++)
    if (!keep_text(s, &copy[i])) return 0;
  return (*types = copy) != NULL;
}

static int same(const dsh_str *a, const dsh_str *b) {
  return a->size == b->size && (a->size == 0 || memcmp(a->data, b->data, a->size) == 0);
}

static int wanted(const dsh_str *types, size_t count, const dsh_event *event) {
  for (size_t i = 0; i < count; i++)
    if (same(&types[i], &event->type)) return 1;
  return count == 0;
}

static void show(const char *before, const buffer *b) { /* no control character reaches a terminal raw */
  printf("%s%s", before, *before ? ": " : "");
  for (size_t i = 0; i < b->size; i++) putchar((unsigned char)b->data[i] < ' ' ? '?' : b->data[i]);
  putchar('\n');
}

/* ---- the session: check, commit, fold, tell ---- */
static int32_t check(const dsh_invariant *rule, void *trace, const dsh_event *event, const dsh_error *error) {
  buffer why = {0}, text = {0};
  if (!wanted(rule->types, rule->type_count, event)) return DSH_OK;
  const int32_t status = rule->check(rule->user, trace, event, &(dsh_error){&why, set});
  if (status == DSH_VIOLATED)
    collect(&text, "invariant violated by \"", 23), collect(&text, rule->owner.data, rule->owner.size),
        collect(&text, "\": ", 3);
  collect(&text, why.data, why.size);
  if (status != DSH_OK) fail(error, text.size > 0 ? text.data : "the event was refused");
  free(why.data), free(text.data);
  return status == DSH_OK ? DSH_OK : DSH_ERROR;
}

static void fold(const dsh_unit *unit, buffer *kept_state, const dsh_event *event) {
  const dsh_str now = {kept_state->data, kept_state->size};
  buffer next = {0}, why = {0};
  const dsh_out out = {&next, collect};
  if (!wanted(unit->types, unit->type_count, event)) return;
  int32_t status = unit->apply(unit->user, &now, event, &out, &(dsh_error){&why, set});
  if (status == DSH_OK) status = next.status;
  if (status != DSH_OK && status != DSH_NONE) show("a projection failed", &why);
  free(why.data), free(status == DSH_OK ? kept_state->data : next.data);
  if (status == DSH_OK) *kept_state = next;
}

static int32_t publish(state *s, const dsh_session *session, dsh_event event, const dsh_error *error) {
  for (size_t i = 0; i < s->rule_count; i++)
    if (check(&s->rules[i], s->traces[i], &event, error) != DSH_OK) return DSH_ERROR;
  dsh_event *events = realloc(s->events, (s->event_count + 1) * sizeof *events);
  if (events != NULL) s->events = events;
  if (!events || !keep_text(s, &event.type) || !keep_text(s, &event.data)) return fail(error, "no memory");
  s->events[s->event_count++] = event; /* committed: from here on nothing fails */
  for (size_t i = 0; i < s->rule_count; i++)
    if (s->rules[i].committed && wanted(s->rules[i].types, s->rules[i].type_count, &event))
      s->rules[i].committed(s->rules[i].user, s->traces[i], &event);
  for (size_t i = 0; i < s->unit_count; i++) fold(&s->units[i], &s->states[i], &event);
  for (const dsh_observer *o = s->observers; o < s->observers + s->observer_count; o++)
    if (o->committed && wanted(o->types, o->type_count, &event)) o->committed(o->user, session, &event);
  return DSH_OK;
}

static int32_t DSH_CALL append(const dsh_session *session, const dsh_str *type, const char *data, size_t size,
                               int64_t *seq, const dsh_error *error) {
  state *s = session->impl;
  if (!s->executing || s->publishing) return fail(error, "append is legal inside execute alone");
  dsh_event event = {sizeof event, 0, (int64_t)s->event_count, time(NULL) * 1000LL, *type, {data, size}};
  s->publishing++;
  const int32_t status = publish(s, session, event, error);
  s->publishing--;
  if (status == DSH_OK && seq != NULL) *seq = event.seq;
  return status;
}

static int32_t DSH_CALL read_log(const dsh_session *session, int64_t from,
                                 int32_t(DSH_CALL *each)(void *, const dsh_event *), void *user,
                                 const dsh_error *error) {
  state *s = session->impl;
  int32_t status = DSH_OK;
  (void)error;     /* memory can always be read */
  s->publishing++; /* no append inside `each` */
  for (int64_t i = from < 0 ? 0 : from; status == DSH_OK && i < (int64_t)s->event_count; i++)
    status = each(user, &s->events[i]);
  s->publishing--;
  return status;
}

/* ---- the services: each copies a descriptor's members (half a pointer is none), and its strings ---- */
static const dsh_tool *find_tool(const state *s, const dsh_str *name) {
  for (size_t i = 0; i < s->tool_count; i++)
    if (same(&s->tools[i].name, name)) return &s->tools[i];
  return NULL;
}

#define ADD(what, list, count, good, copied)                                                                \
  static int32_t DSH_CALL add_##what(const dsh_host *h, const dsh_##what *from, const dsh_error *e) {       \
    state *s = h->impl;                                                                                     \
    dsh_##what *d = &s->list[s->count % MAX];                                                               \
    if (!s->applying || s->count == MAX) return fail(e, "add is legal inside apply, 16 times");             \
    memset(d, 0, sizeof *d);                                                                                \
    memcpy(d, from, from->struct_size < sizeof *d ? from->struct_size & ~(sizeof(void *) - 1) : sizeof *d); \
    if (!(good)) return fail(e, "this " #what " lacks a member, or clashes with another");                  \
    return (copied) && ++s->count ? DSH_OK : fail(e, "no memory");                                          \
  }
ADD(tool, tools, tool_count, d->execute && d->name.size > 0 && !find_tool(s, &d->name),
    keep_text(s, &d->name) && keep_text(s, &d->description) && keep_text(s, &d->parameters))
ADD(invariant, rules, rule_count, d->check && d->trace_size <= 4096,
    keep_text(s, &d->owner) && keep_types(s, &d->types, d->type_count) &&
        (s->traces[s->rule_count] = keep(s, NULL, d->trace_size)))
ADD(unit, units, unit_count, d->apply && d->key.size > 0,
    keep_text(s, &d->key) && keep_types(s, &d->types, d->type_count) &&
        collect(&s->states[s->unit_count], d->init.data, d->init.size) == DSH_OK)
ADD(observer, observers, observer_count, 1, keep_types(s, &d->types, d->type_count))

static const void *DSH_CALL service(const dsh_host *host, const char *id) {
  static const dsh_tools tools = {sizeof tools, 0, add_tool};
  static const dsh_sessions sessions = {sizeof sessions, 0, add_observer};
  static const dsh_invariants invariants = {sizeof invariants, 0, add_invariant};
  static const dsh_projections projections = {sizeof projections, 0, add_unit};
  (void)host;
  if (strcmp(id, DSH_TOOLS) == 0) return &tools;
  if (strcmp(id, DSH_SESSIONS) == 0) return &sessions;
  if (strcmp(id, DSH_INVARIANTS) == 0) return &invariants;
  return strcmp(id, DSH_PROJECTIONS) == 0 ? &projections : NULL;
}

static int32_t DSH_CALL on_dispose(const dsh_host *host, void(DSH_CALL *fn)(void *user), void *user) {
  state *s = host->impl;
  if (!s->applying || s->dispose_count == MAX) return DSH_ERROR;
  s->dispose_user[s->dispose_count] = user, s->dispose[s->dispose_count++] = fn;
  return DSH_OK;
}

static void DSH_CALL write_log(const dsh_host *host, int32_t level, const char *text, size_t size) {
  fprintf(stderr, "plugin[%d] in %s: %.*s\n", (int)level, host->name.data, (int)size, text);
}

/* ---- load, call, unload ---- */
static int call(state *s, const dsh_session *session, const char *tool_name, const char *arguments) {
  const dsh_call c = {sizeof c, 0, {arguments, strlen(arguments)}, DSH_STR("call-1"), session};
  const dsh_tool *tool = find_tool(s, &(dsh_str){tool_name, strlen(tool_name)});
  buffer value = {0}, text = {0}, why = {0};
  const dsh_out outs[] = {{&value, collect}, {&text, collect}};
  const dsh_error error = {&why, set};
  s->executing = 1;
  int32_t status = fail(&error, "unknown tool");
  if (tool != NULL) status = tool->execute(tool->user, &c, &outs[0], &outs[1], &error);
  s->executing = 0;
  if (status == DSH_OK) status = value.status != DSH_OK ? value.status : text.status;
  show(status == DSH_OK ? "" : "Error", status == DSH_OK ? &text : &why);
  free(value.data), free(text.data), free(why.data);
  return status == DSH_OK;
}

static int run(state *s, char **calls) {
  const dsh_session session = {sizeof session, 0, s, DSH_STR("session-1"), append, read_log};
  buffer why = {0};
  const dsh_error error = {&why, set};
  for (size_t i = 0; i < s->observer_count; i++)
    if (s->observers[i].created != NULL) s->observers[i].created(s->observers[i].user, &session);
  s->executing = 1; /* the host appends by the same door */
  int good = append(&session, &(dsh_str)DSH_STR("turn/start"), "{\"turn\":1}", 10, NULL, &error) == DSH_OK;
  s->executing = 0;
  for (; *calls != NULL; calls += 2) good &= call(s, &session, calls[0], calls[1]);
  for (size_t i = 0; i < s->unit_count; i++) {
    const dsh_unit *unit = &s->units[i];
    const dsh_str now = {s->states[i].data, s->states[i].size};
    buffer value = {0};
    if (unit->view && !unit->view(unit->user, &now, &(dsh_out){&value, collect}, &error))
      show(unit->key.data, &value);
    free(value.data);
  }
  for (size_t i = s->observer_count; i-- > 0;)
    if (s->observers[i].disposed != NULL) s->observers[i].disposed(s->observers[i].user, &session);
  free(why.data);
  return good;
}

static int refuse(const char *who, const char *why) { return fprintf(stderr, "%s: %s\n", who, why), 2; }

int main(int argc, char **argv) {
  if (argc < 3 || argc % 2 == 0) return fprintf(stderr, "usage: %s PLUGIN CONFIG [TOOL ARGS]...\n", *argv), 2;
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) return refuse(argv[1], dlerror());
  const char *const *label = dlsym(library, "name"), *const *inject = dlsym(library, "inject");
  const uint32_t *revision = dlsym(library, "abi_version"); /* absent: 1 */
  dsh_apply_fn apply;
  void *symbol = dlsym(library, "apply");
  memcpy(&apply, &symbol, sizeof apply); /* ISO C casts no object to a function */
  if (dlsym(library, "default") != NULL) return refuse(argv[1], "exports a stray `default`");
  if (!label || !inject || !symbol) return refuse(argv[1], "lacks name, inject or apply");
  if (revision != NULL && *revision > DSH_ABI_VERSION)
    return fprintf(stderr, "%s: needs revision %u, not %d\n", *label, *revision, DSH_ABI_VERSION), 2;
  state s = {0};
  const dsh_host host = {sizeof host, DSH_ABI_VERSION, DSH_STR("minimal-host"), DSH_STR("1"), &s, service,
                         on_dispose,  write_log};
  for (; *inject != NULL; inject++)
    if (service(&host, *inject) == NULL) return refuse(*label, "waits for a service that this host has not");
  buffer why = {0};
  s.applying = 1;
  const int32_t status = apply(&host, argv[2], strlen(argv[2]), &(dsh_error){&why, set});
  s.applying = 0;
  if (status != DSH_OK) refuse(*label, why.size > 0 ? why.data : "apply failed");
  const int good = status == DSH_OK && run(&s, argv + 3);
  for (size_t i = 0; i < s.unit_count; i++) free(s.states[i].data);
  while (s.dispose_count-- > 0) s.dispose[s.dispose_count](s.dispose_user[s.dispose_count]);
  for (kept *next; s.kept != NULL; s.kept = next) next = s.kept->next, free(s.kept);
  free(why.data), free(s.events), dlclose(library);
  return status != DSH_OK ? 2 : !good;
}
