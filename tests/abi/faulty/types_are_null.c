/* check: services.accepted failed: the list of event types of an invariant is null */
/* A count alone is no list. */
#define PREPARE
#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  dsh_invariant rule = other_invariant;
  rule.type_count = 1;
  return register_invariant(host, &rule, error);
}
