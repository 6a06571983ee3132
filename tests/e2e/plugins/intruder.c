/* A plugin that reaches for what is the host's. Its tool `reach` does what its arguments say: "hang" never
 * comes back, "wait" comes back with a signal, "read" reads standard input to its end and tells how much
 * there was, "mask" tells whether the signals that end a process are blocked. A config of "hang" has apply
 * never come back. */
#define _GNU_SOURCE
#include <dsh/dsh.h>
#include <dsh/plugin.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void hang(void) {
  for (;;) pause();
}

static int says(const char *data, size_t size, const char *word) {
  return size >= strlen(word) && memmem(data, size, word, strlen(word)) != NULL;
}

static int read_all(char *answer, size_t size) {
  char bytes[4096];
  long all = 0;
  for (ssize_t got; (got = read(STDIN_FILENO, bytes, sizeof bytes)) > 0;) all += got;
  return snprintf(answer, size, "%ld bytes", all);
}

static int tell_mask(char *answer, size_t size) {
  sigset_t set;
  sigprocmask(SIG_BLOCK, NULL, &set);
  return snprintf(answer, size, "blocked %d%d%d", sigismember(&set, SIGTERM), sigismember(&set, SIGINT),
                  sigismember(&set, SIGHUP));
}

static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  (void)user, (void)value, (void)error;
  char answer[64];
  const char *data = call->arguments.data;
  const size_t size = call->arguments.size;
  if (says(data, size, "hang")) hang();
  if (says(data, size, "wait")) pause();
  const int length =
      says(data, size, "read") ? read_all(answer, sizeof answer) : tell_mask(answer, sizeof answer);
  return text->write(text->ctx, answer, (size_t)length);
}

const char *const name = "intruder";
const char *const inject[] = {DSH_TOOLS, NULL};

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  if (says(config, size, "hang")) hang();
  const dsh_tools *tools = host->service(host, DSH_TOOLS);
  const dsh_tool tool = {.struct_size = sizeof tool,
                         .name = DSH_STR("reach"),
                         .description = DSH_STR("Reaches for what is the host's."),
                         .parameters = DSH_STR("{\"type\":\"object\"}"),
                         .execute = execute};
  return tools->add(host, &tool, error);
}
