/* check: life.again failed: it registers otherwise when it is applied again: .*trace_size */
/* The same config, another rule. */
#define APPLY

#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status != DSH_OK) return status;
  static uint32_t applied;
  ++applied;
  const dsh_invariants *invariants = (const dsh_invariants *)host->service(host, DSH_INVARIANTS);
  if (invariants != NULL && DSH_HAS(invariants, add)) {
    dsh_invariant rule = {
        .struct_size = sizeof rule, .trace_size = 8, .owner = DSH_STR(OWNER), .check = check};
    rule.trace_size = 8 * (applied % 2 + 1);
    status = invariants->add(host, &rule, error);
    if (status != DSH_OK) return status;
  }
  return add_all(host, NULL, error);
}
