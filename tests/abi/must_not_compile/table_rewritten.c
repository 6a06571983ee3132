/* error: read-only|incompatible types|is not assignable */
#include <dsh/tools.h>
/* The host's tables are the host's. */
void hook(const dsh_host *host);
void hook(const dsh_host *host) {
  const dsh_tools *tools = host->service(host, DSH_TOOLS);
#ifdef MISTAKE
  tools->add = NULL;
#endif
  (void)tools;
}
