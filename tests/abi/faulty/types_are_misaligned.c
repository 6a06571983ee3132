/* check: services.accepted failed: the list of event types of an invariant is not aligned to 8 bytes */
/* Structs lie as their type asks. */
#define APPLY

#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status != DSH_OK) return status;
  const dsh_invariants *invariants = (const dsh_invariants *)host->service(host, DSH_INVARIANTS);
  if (invariants != NULL && DSH_HAS(invariants, add)) {
    dsh_invariant rule = {
        .struct_size = sizeof rule, .trace_size = 8, .owner = DSH_STR(OWNER), .check = check};
    static char bytes[64];
    rule.types = (const dsh_str *)(const void *)(bytes + 1), rule.type_count = 1;
    status = invariants->add(host, &rule, error);
    if (status != DSH_OK) return status;
  }
  return add_all(host, NULL, error);
}
