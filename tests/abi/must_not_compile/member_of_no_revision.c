/* error: has no member named|no member named */
#include <dsh/tools.h>
/* What no revision has cannot be asked for. */
int has(const dsh_tools *tools);
int has(const dsh_tools *tools) {
#ifdef MISTAKE
  return DSH_HAS(tools, remove);
#else
  return DSH_HAS(tools, add);
#endif
}
