/* check: services.accepted failed: the event type number 1 of an invariant is null, but has a size */
/* A size alone is no text. */
#define PREPARE
#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  dsh_invariant rule = other_invariant;
  static const dsh_str types[] = {{NULL, 4}};
  rule.types = types, rule.type_count = 1;
  return register_invariant(host, &rule, error);
}
