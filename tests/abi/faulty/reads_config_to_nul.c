/* check: config.valid crashed: SIGSEGV: apply with the config */
/* The config is not terminated. */
#define APPLY
#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  (void)host, (void)config, (void)size, (void)error;
  return strlen(config) > 1000 ? DSH_ERROR : add_all(host, NULL, error);
}
