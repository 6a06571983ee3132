/* check: life.again failed: it registers otherwise when it is applied again: .*flags */
/* The same config, another unit. */
#define APPLY

#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status != DSH_OK) return status;
  static uint32_t applied;
  ++applied;
  const dsh_projections *projections = (const dsh_projections *)host->service(host, DSH_PROJECTIONS);
  if (projections != NULL && DSH_HAS(projections, add)) {
    dsh_unit unit = {
        .struct_size = sizeof unit, .key = DSH_STR("other"), .init = DSH_STR("null"), .apply = fold};
    unit.flags = applied % 2;
    status = projections->add(host, &unit, error);
    if (status != DSH_OK) return status;
  }
  return add_all(host, NULL, error);
}
