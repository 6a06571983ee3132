/* check: tools.inside failed: log was called outside a call */
/* flags: -pthread */
/* Host functions are called inside the host's calls, on their thread. */
#define PREPARE
#include <pthread.h>

#include "sound.h"

static void *greet(void *user) {
  const dsh_host *host = user;
  host->log(host, DSH_INFO, "hello", 5);
  return NULL;
}

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, greet, (void *)(uintptr_t)host) != 0)
    return fail(error, "no thread", NULL);
  pthread_join(thread, NULL);
  return DSH_OK;
}
