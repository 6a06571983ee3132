/* check: process.arithmetic failed: floating-point environment */
/* What -ffast-math does to every thread that maps a library linked with it. */
#define PREPARE
#include <fenv.h>

#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  (void)host, (void)error;
#if defined(__x86_64__)
  __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040);
#else
  fesetround(FE_UPWARD);
#endif
  return DSH_OK;
}
