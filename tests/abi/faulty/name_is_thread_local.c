/* check: library.opens failed: no symbol `name`: what is called so is thread-local data */
/* Each thread has its own, and a host none. */
#define OWN_SYMBOLS
#include <dsh/host.h>
#define DSH_EXPORT __attribute__((visibility("default")))
#include "sound.h"
extern DSH_EXPORT _Thread_local const char *name;
_Thread_local const char *name = "faulty";
extern DSH_EXPORT const char *const inject[];
const char *const inject[] = {DSH_TOOLS, NULL};
DSH_EXPORT int32_t apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error);
int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  (void)config, (void)size;
  return add_all(host, NULL, error);
}
