/* check: life.again failed: it registers otherwise when it is applied again: .*flags */
/* The same config, another unit. */
#define PREPARE
#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  static uint32_t applied;
  ++applied;
  dsh_unit unit = other_unit;
  unit.flags = applied % 2;
  return register_unit(host, &unit, error);
}
