/* What the faulty plugins of the tests are made of: each defines the macros for what it has wrong, or
 * leaves a part out, and gets the rest sound. */
#ifndef FAULTY_COMMON_H
#define FAULTY_COMMON_H

#include <dsh/host.h>

#define EXPORTED __attribute__((visibility("default")))

#ifndef NO_NAME
EXPORTED const char *const name = "sound";
#endif
#ifndef NO_INJECT
EXPORTED const char *const inject[] = {"tools", NULL};
#endif
#ifndef NO_APPLY
#ifndef APPLY_STATUS
#define APPLY_STATUS DSH_OK
#endif
EXPORTED int32_t apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error);
int32_t apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  (void)host, (void)config, (void)size, (void)error;
  return APPLY_STATUS;
}
#endif

#endif
