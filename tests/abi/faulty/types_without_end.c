/* check: services.accepted failed: an invariant with 1152921504606846976 event types: 65536 is the most */
/* innocent: host.loads host.services */
/* A count that nothing has. */
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
    rule.types = &note_type, rule.type_count = (size_t)1 << 60;
    status = invariants->add(host, &rule, error);
    if (status != DSH_OK) return status;
  }
  return add_all(host, NULL, error);
}
