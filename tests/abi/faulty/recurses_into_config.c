/* check: config.anything crashed: SIGSEGV: apply with the config \[\[\[ */
/* Nesting without a bound overflows the stack. */
#define APPLY
#include "sound.h"

static int depth_of(const char *text, const char *end) {
  volatile char room[200];
  room[0] = 0;
  return text < end && *text == '[' ? depth_of(text + 1, end) + 1 + room[0] : 0;
}
int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  (void)host, (void)config, (void)size, (void)error;
  int32_t status = good_host(host, error);
  if (status != DSH_OK) return status;
  return depth_of(config, config + size) < 0 ? fail(error, "too deep", DSH_INVALID_CONFIG)
                                             : add_all(host, NULL, error);
}
