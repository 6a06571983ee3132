/* check: life.again failed: it registers otherwise when it is applied again: .*types */
/* The same config, another rule. */
#define PREPARE
#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  static uint32_t applied;
  ++applied;
  dsh_invariant rule = other_invariant;
  if (applied % 2) rule.types = &note_type, rule.type_count = 1;
  return register_invariant(host, &rule, error);
}
