/* check: services.accepted failed: an invariant with 1152921504606846976 event types: 65536 is the most */
/* innocent: host.loads host.services */
/* A count that nothing has. */
#define PREPARE
#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  dsh_invariant rule = other_invariant;
  rule.types = &note_type, rule.type_count = (size_t)1 << 60;
  return register_invariant(host, &rule, error);
}
