/* minimal_plugin.c - a whole dsh plugin in plain C: a tool that says how long the session is.
 *
 *     cc -std=c11 -shared -fPIC -fvisibility=hidden -Wl,-Bsymbolic -I<prefix>/include minimal_plugin.c \
 *         -o minimal-plugin.so
 *
 * It takes no arguments and no config, keeps no state, and needs one service. */
#include <dsh/dsh.h>
#include <dsh/plugin.h>
#include <stdio.h>
#include <string.h>

static int32_t fail(const dsh_error *error, const char *text, const char *code) {
  error->set(error->ctx, text, strlen(text), NULL, code);
  return DSH_ERROR;
}

static int32_t write_text(const dsh_out *out, const char *text) {
  return out->write(out->ctx, text, strlen(text));
}

/* True for an empty text, `null`, or a text that begins like an object: all this plugin must know. */
static int may_be_object(const char *text, size_t size, int or_null) {
  while (size > 0 && strchr(" \t\r\n", *text) != NULL && *text != '\0') text++, size--;
  return size == 0 || *text == '{' || (or_null && size >= 4 && memcmp(text, "null", 4) == 0);
}

static int32_t DSH_CALL count(void *user, const dsh_event *event) {
  (void)event;
  ++*(unsigned long long *)user;
  return DSH_OK;
}

static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  (void)user;
  unsigned long long events = 0; /* on the stack: calls run on several threads */
  char line[64];
  if (!may_be_object(call->arguments.data, call->arguments.size, 0))
    return fail(error, "the arguments must be an object", "INVALID_ARGS");
  if (call->session == NULL) return fail(error, "session_length requires an owning session", NULL);
  const int32_t status = call->session->read(call->session, 0, count, &events, error);
  if (status != DSH_OK) return status; /* `error` already says why */

  snprintf(line, sizeof line, "{\"events\":%llu}", events);
  write_text(value, line);
  snprintf(line, sizeof line, "The session holds %llu events.", events);
  return write_text(text, line); /* a refusal is sticky: the last write tells */
}

const char *const name = "minimal-plugin";
const char *const inject[] = {DSH_TOOLS, NULL};

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  char line[128];
  if (!DSH_HAS(host, log)) { /* nothing beyond the end of the other side's struct is there */
    snprintf(line, sizeof line, "the host's dsh_host has %u bytes, this plugin needs %u",
             (unsigned)host->struct_size, (unsigned)sizeof *host);
    return fail(error, line, NULL);
  }
  if (!may_be_object(config, size, 1)) return fail(error, "this plugin takes no config", DSH_INVALID_CONFIG);
  const dsh_tools *tools = host->service(host, DSH_TOOLS);
  if (tools == NULL || !DSH_HAS(tools, add)) return fail(error, "the host has no tools service", NULL);
  const dsh_tool tool = {
      .struct_size = sizeof tool,
      .mode = DSH_PARALLEL,
      .name = DSH_STR("session_length"),
      .description = DSH_STR("Says how many events the log of this session holds."),
      .parameters = DSH_STR("{\"type\":\"object\",\"properties\":{}}"),
      .output = DSH_STR("{\"type\":\"object\",\"properties\":{\"events\":{\"type\":\"integer\"}},"
                        "\"required\":[\"events\"],\"additionalProperties\":false}"),
      .execute = execute,
  };
  return tools->add(host, &tool, error);
}
