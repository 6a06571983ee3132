/* A plugin that prints to stdout whenever it runs, buffered and not, as libraries do. Its tool `chat`
 * answers with the arguments it was given. */
#include <dsh/dsh.h>
#include <dsh/plugin.h>
#include <stdio.h>
#include <unistd.h>

static void chatter(const char *when) {
  printf("chatter %s\n", when);
  fflush(stdout);
  printf("left in the buffer %s\n", when);
  (void)!write(STDOUT_FILENO, "raw chatter\n", 12);
}

__attribute__((constructor)) static void on_open(void) { chatter("while opening"); }
__attribute__((destructor)) static void on_close(void) { chatter("while closing"); }

static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  (void)user, (void)value, (void)error;
  chatter("while running");
  return text->write(text->ctx, call->arguments.data, call->arguments.size);
}

const char *const name = "chatty";
const char *const inject[] = {DSH_TOOLS, NULL};

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  (void)config, (void)size;
  chatter("while applying");
  host->log(host, DSH_WARN, "\033[31mred\nand more", 17);
  const dsh_tools *tools = host->service(host, DSH_TOOLS);
  const dsh_tool tool = {.struct_size = sizeof tool,
                         .name = DSH_STR("chat"),
                         .description = DSH_STR("Prints, then answers with its arguments."),
                         .parameters = DSH_STR("{\"type\":\"object\"}"),
                         .execute = execute};
  return tools->add(host, &tool, error);
}
