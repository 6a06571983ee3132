/* A plugin that does to its host whatever the headers forbid, short of what no host could survive (a wild
 * pointer, a struct that is shorter than it says, an exit). Its config is a number: the seed of everything
 * it does, so that a run can be repeated. It has one thread's state and no other. */
#include <dsh/dsh.h>
#include <dsh/plugin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t state = 1;

static uint32_t below(uint32_t bound) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (uint32_t)(state >> 33) % bound;
}

#define ONE_OF(list) (list)[below((uint32_t)(sizeof(list) / sizeof *(list)))]

static int32_t any_status(void) {
  static const int32_t statuses[] = {DSH_OK,       DSH_OK, DSH_OK, DSH_ERROR, DSH_NO_MEMORY, DSH_NONE,
                                     DSH_VIOLATED, -1,     77,     INT32_MAX, INT32_MIN};
  return ONE_OF(statuses);
}

/* Filled by fill(): too large for the stack, and the same at every call. */
static char long_text[200000], deep_text[200000];

static void fill(void) {
  memset(long_text, 'x', sizeof long_text);
  memset(deep_text, '[', sizeof deep_text);
}

static dsh_str any_text(void) {
  const dsh_str texts[] = {{NULL, 0},
                           {NULL, 5},
                           {"", 0},
                           {"a\0b", 3},
                           {"\0", 1},
                           {"\xff\xfe", 2},
                           {"\xed\xa0\x80", 3}, /* a lone surrogate */
                           {"\x1b[2J\r\n", 6},
                           {"default", 7},
                           {long_text, sizeof long_text},
                           {"hostile/event", 13},
                           {"turn/start", 10},
                           {"session", 7}};
  return ONE_OF(texts);
}

/* What a host has to accept, most of the time: else nothing would ever be called. */
static dsh_str mostly(const char *good, dsh_str other) {
  return below(4) ? (dsh_str){good, strlen(good)} : other;
}

static const char *any_name(void) {
  static char numbered[16];
  snprintf(numbered, sizeof numbered, "thing-%u", below(40));
  return numbered;
}

static dsh_str any_json(void) {
  static const char *const texts[] = {"null",
                                      "{}",
                                      "{\"type\":\"object\"}",
                                      "[1,2,",
                                      "\"\\ud800\"",
                                      "-0",
                                      "1e999",
                                      "{\"type\":\"object\",\"properties\":{\"a\":{\"$ref\":\"#\"}}}",
                                      "{\"type\":[\"object\"]}",
                                      " {\"type\" : \"object\"}\n",
                                      "{\"a\":1,\"a\":2}",
                                      "\xff",
                                      "{\"type\":\"object\",\"oneOf\":[]}",
                                      "nul",
                                      ""};
  switch (below(8)) {
    case 0:
      return any_text();
    case 1:
      return (dsh_str){deep_text, sizeof deep_text};
    default: {
      const char *text = ONE_OF(texts);
      return (dsh_str){text, strlen(text)};
    }
  }
}

static void any_error(const dsh_error *error) {
  for (uint32_t i = below(3); i > 0; i--) {
    const dsh_str text = any_text();
    static const char *const words[] = {NULL, "", "WORD", "\xff", "two words\n"};
    error->set(error->ctx, text.data, text.data == NULL ? 0 : text.size, ONE_OF(words), ONE_OF(words));
  }
}

static void any_output(const dsh_out *out) {
  for (uint32_t i = below(5); i > 0; i--) {
    const dsh_str text = below(2) ? any_json() : any_text();
    const size_t size =
        text.data == NULL && below(2) ? SIZE_MAX : text.size; /* refused: no memory, or null */
    out->write(out->ctx, text.data, size);
  }
}

static const dsh_host *own_host;
static void register_anything(const dsh_host *host, const dsh_error *error);

static int32_t DSH_CALL each(void *user, const dsh_event *event) {
  const dsh_session *session = user;
  const dsh_error error = {NULL, NULL};
  if (below(4) == 0) session->append(session, &event->type, event->data.data, event->data.size, NULL, &error);
  if (below(8) == 0) session->read(session, event->seq + 1, each, user, &error);
  return below(3) ? DSH_OK : any_status();
}

static void use(const dsh_session *session, const dsh_error *error) {
  static const int64_t places[] = {0, -1, 1, INT64_MAX, INT64_MIN};
  for (uint32_t i = below(4); i > 0; i--) {
    const dsh_str type = any_text(), data = any_json();
    int64_t seq = 0;
    switch (below(4)) {
      case 0:
        session->read(session, ONE_OF(places), below(5) ? each : NULL, (void *)session, error);
        break;
      case 1:
        session->append(session, below(5) ? &type : NULL, data.data, data.size, &seq, error);
        break;
      default:
        session->append(session, &(dsh_str)DSH_STR("hostile/event"), "{}", 2, below(2) ? &seq : NULL, error);
    }
  }
  if (below(4) == 0) register_anything(own_host, error); /* outside apply */
}

static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  (void)user;
  any_output(value);
  any_output(text);
  if (call->session != NULL) use(call->session, error);
  any_error(error);
  any_output(value);
  return any_status();
}

static int32_t DSH_CALL render(void *user, const dsh_str *arguments, const dsh_str *value,
                               const dsh_out *text, const dsh_error *error) {
  (void)user, (void)arguments, (void)value;
  any_output(text);
  any_error(error);
  return any_status();
}

static int32_t DSH_CALL present(void *user, const dsh_str *arguments, const dsh_out *card,
                                const dsh_error *error) {
  return render(user, arguments, arguments, card, error);
}

static int32_t DSH_CALL check(void *user, const void *trace, const dsh_event *event, const dsh_error *error) {
  (void)user, (void)trace, (void)event;
  if (below(3)) return DSH_OK;
  any_error(error);
  return any_status();
}

static void DSH_CALL committed(void *user, void *trace, const dsh_event *event) {
  (void)event;
  const size_t size = (size_t)(uintptr_t)user;
  if (trace != NULL && size > 0) memset(trace, (int)below(256), size);
}

static int32_t DSH_CALL fold(void *user, const dsh_str *before, const dsh_event *event, const dsh_out *next,
                             const dsh_error *error) {
  (void)user, (void)event;
  return render(NULL, before, before, next, error);
}

static int32_t DSH_CALL view(void *user, const dsh_str *before, const dsh_out *out, const dsh_error *error) {
  return render(user, before, before, out, error);
}

static void DSH_CALL told(void *user, const dsh_session *session) {
  (void)user;
  const dsh_error error = {NULL, NULL};
  use(session, &error);
}

static void DSH_CALL told_of(void *user, const dsh_session *session, const dsh_event *event) {
  (void)event;
  told(user, session);
}

static void DSH_CALL dispose(void *user) {
  (void)user;
  const dsh_error error = {NULL, NULL};
  if (own_host != NULL) register_anything(own_host, &error);
}

static uint32_t any_size(size_t whole) {
  /* Half a member and a whole one from the end, and lengths that reach into any of them. */
  const uint32_t sizes[] = {0,
                            4,
                            8,
                            24,
                            (uint32_t)whole - 4,
                            (uint32_t)whole - 8,
                            (uint32_t)whole - 12,
                            UINT32_MAX,
                            below((uint32_t)whole)};
  return below(3) ? (uint32_t)whole : ONE_OF(sizes);
}

static size_t any_count(size_t most) {
  const size_t counts[] = {0, 1, most, SIZE_MAX, 1U << 20U};
  return ONE_OF(counts);
}

static void register_tool(const dsh_host *host, const dsh_error *error) {
  const dsh_tools *tools = host->service(host, DSH_TOOLS);
  const dsh_tool tool = {.struct_size = any_size(sizeof tool),
                         .mode = any_status(),
                         .name = mostly(any_name(), any_text()),
                         .description = mostly("", any_text()),
                         .parameters = mostly("{\"type\":\"object\"}", any_json()),
                         .output = mostly("", any_json()),
                         .execute = below(9) ? execute : NULL,
                         .render = below(2) ? render : NULL,
                         .present = below(2) ? present : NULL};
  tools->add(host, below(20) ? &tool : NULL, error);
}

static void register_rule(const dsh_host *host, const dsh_error *error) {
  static const uint32_t sizes[] = {0, 1, 8, 4096, 4097, UINT32_MAX};
  const dsh_invariants *invariants = host->service(host, DSH_INVARIANTS);
  const dsh_str types[3] = {any_text(), any_text(), DSH_STR("hostile/event")};
  const uint32_t trace = ONE_OF(sizes);
  const size_t count = any_count(3);
  const dsh_invariant rule = {.struct_size = any_size(sizeof rule),
                              .trace_size = trace,
                              .user = (void *)(uintptr_t)trace,
                              .owner = mostly("@hostile/owner", any_text()),
                              .types = below(4) || count <= 3 ? types : NULL,
                              .type_count = count,
                              .check = below(9) ? check : NULL,
                              .committed = below(3) ? committed : NULL};
  invariants->add(host, below(20) ? &rule : NULL, error);
}

static void register_unit(const dsh_host *host, const dsh_error *error) {
  const dsh_projections *projections = host->service(host, DSH_PROJECTIONS);
  const dsh_str types[3] = {any_text(), any_text(), DSH_STR("hostile/event")};
  const dsh_unit unit = {.struct_size = any_size(sizeof unit),
                         .flags = below(4),
                         .key = mostly(any_name(), any_text()),
                         .state_version = below(3),
                         .types = types,
                         .type_count = any_count(3),
                         .init = mostly("null", any_json()),
                         .apply = below(9) ? fold : NULL,
                         .view = below(3) ? view : NULL,
                         .restore = below(2) ? view : NULL};
  projections->add(host, below(20) ? &unit : NULL, error);
}

static void register_observer(const dsh_host *host, const dsh_error *error) {
  const dsh_sessions *sessions = host->service(host, DSH_SESSIONS);
  const dsh_str types[3] = {any_text(), any_text(), DSH_STR("hostile/event")};
  const dsh_observer observer = {.struct_size = any_size(sizeof observer),
                                 .types = types,
                                 .type_count = any_count(3),
                                 .created = below(2) ? told : NULL,
                                 .committed = below(2) ? told_of : NULL,
                                 .disposed = below(2) ? told : NULL};
  sessions->add(host, below(20) ? &observer : NULL, error);
}

static void register_anything(const dsh_host *host, const dsh_error *error) {
  static const char *const ids[] = {"", "tools/2", "Tools", "tools ", NULL, "\xff", "sessionProjections\n"};
  switch (below(8)) {
    case 0:
      (void)host->service(host, ONE_OF(ids));
      break;
    case 1:
      host->on_dispose(host, below(3) ? dispose : NULL, NULL);
      break;
    case 2: {
      const dsh_str text = any_text();
      host->log(host, any_status(), text.data, text.size);
      break;
    }
    case 3:
      register_rule(host, error);
      break;
    case 4:
      register_unit(host, error);
      break;
    case 5:
      register_observer(host, error);
      break;
    default:
      register_tool(host, error);
  }
}

const char *const name = "hostile";
const char *const inject[] = {NULL};

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  char digits[24] = "1";
  fill();
  own_host = host;
  if (size > 0 && size < sizeof digits) memcpy(digits, config, size), digits[size] = '\0';
  state = strtoull(digits, NULL, 10) * 2654435761U + 88172645463325252U;
  for (uint32_t i = below(120); i > 0; i--) register_anything(host, error);
  any_error(error);
  return below(4) ? DSH_OK : any_status();
}
