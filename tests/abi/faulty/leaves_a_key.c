/* check: process.keys failed: left thread-specific keys behind */
/* Its destructor is called when a thread ends, mapped or not. */
#define PREPARE
#include <pthread.h>

#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  (void)host;
  static pthread_key_t key;
  if (pthread_key_create(&key, free) != 0) return fail(error, "no key", NULL);
  return DSH_OK;
}
