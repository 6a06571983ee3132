/* check: library.opens failed: no symbol `apply` */
/* The entry point is missing. */
#define OWN_SYMBOLS
#include <dsh/host.h>
#define DSH_EXPORT __attribute__((visibility("default")))
#include "sound.h"
extern DSH_EXPORT const char *const name;
const char *const name = "faulty";
extern DSH_EXPORT const char *const inject[];
const char *const inject[] = {DSH_TOOLS, NULL};
DSH_EXPORT int32_t setup(const dsh_host *host, const dsh_error *error);
int32_t setup(const dsh_host *host, const dsh_error *error) {
  return add_all(host, NULL, error) + good_host(host, error) + good_config("", 0, error);
}
