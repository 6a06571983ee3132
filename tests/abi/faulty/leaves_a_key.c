/* check: process.keys failed: left thread-specific keys behind */
/* Its destructor is called when a thread ends, mapped or not. */
#define APPLY
#include <pthread.h>

#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status != DSH_OK) return status;
  static pthread_key_t key;
  if (pthread_key_create(&key, free) != 0) return fail(error, "no key", NULL);
  return add_all(host, NULL, error);
}
