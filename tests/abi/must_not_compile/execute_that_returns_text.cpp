// error: cannot convert|invalid conversion|no viable conversion|incompatible
// A result goes through the sinks; nobody would free a text that is returned.
#include <dsh/tools.h>
#ifdef MISTAKE
static char *run(void *, const dsh_call *, const dsh_out *, const dsh_out *, const dsh_error *) {
  return nullptr;
}
#else
static int32_t run(void *, const dsh_call *, const dsh_out *, const dsh_out *, const dsh_error *) {
  return DSH_OK;
}
#endif
dsh_tool describe();
dsh_tool describe() {
  dsh_tool tool{};
  tool.execute = run;
  return tool;
}
