/* check: process.arithmetic failed: floating-point environment */
/* What -ffast-math does to every thread that maps a library linked with it. */
#define APPLY
#include <fenv.h>

#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status != DSH_OK) return status;
#if defined(__x86_64__)
  __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#else
  fesetround(FE_UPWARD);
#endif
  return add_all(host, NULL, error);
}
