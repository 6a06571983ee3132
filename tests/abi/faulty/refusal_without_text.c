/* check: config.valid failed: no text */
/* Whoever wrote the config is told nothing. */
#define APPLY
#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  (void)host, (void)config, (void)size, (void)error;
  return DSH_ERROR;
}
