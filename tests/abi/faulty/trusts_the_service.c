/* check: services.required crashed: SIGSEGV: apply where service */
/* A null table is dereferenced. */
#define PREPARE
#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  const dsh_tools *tools = host->service(host, DSH_TOOLS);
  if (tools->struct_size < sizeof *tools) return fail(error, "too old", NULL);
  return DSH_OK;
}
