/* check: services.accepted failed: the list of event types of an invariant is not aligned to 8 bytes */
/* Structs lie as their type asks. */
#define PREPARE
#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  dsh_invariant rule = other_invariant;
  static char bytes[64];
  rule.types = (const dsh_str *)(const void *)(bytes + 1), rule.type_count = 1;
  return register_invariant(host, &rule, error);
}
