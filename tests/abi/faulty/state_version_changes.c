/* check: life.again failed: it registers otherwise when it is applied again: .*state_version */
/* The same config, another unit. */
#define PREPARE
#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  static uint32_t applied;
  ++applied;
  dsh_unit unit = other_unit;
  unit.state_version = applied;
  return register_unit(host, &unit, error);
}
