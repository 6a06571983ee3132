/* check: life.refused_applies failed: applies that fail leaves about */
/* Allocated before the config is looked at. */
#define APPLY
#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  int32_t status = good_host(host, error);
  if (status != DSH_OK) return status;
  char *volatile instance = malloc(1000);
  if (instance == NULL) return DSH_NO_MEMORY;
  memset(instance, 1, 1000);
  status = good_config(config, size, error);
  if (status != DSH_OK) return status;
  free(instance);
  return add_all(host, NULL, error);
}
