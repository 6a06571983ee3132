/* check: library.opens failed: undefined symbol: nobody_provides_this */
/* Linked without -z defs, it loads on the machine of its author alone. */
#define APPLY
#include "sound.h"
int nobody_provides_this(void);
int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  (void)host, (void)config, (void)size, (void)error;
  return nobody_provides_this() ? DSH_ERROR : add_all(host, NULL, error);
}
