/* check: life.again failed: bytes on the heap */
/* What apply allocates, no dispose function frees. */
#define APPLY
#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  (void)host, (void)config, (void)size, (void)error;
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status != DSH_OK) return status;
  void *instance = malloc(1000);
  if (instance == NULL) return DSH_NO_MEMORY;
  memset(instance, 1, 1000);
  return add_all(host, instance, error);
}
