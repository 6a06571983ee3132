/* check: tools.inside failed: log was called outside a call */
/* flags: -pthread */
/* Host functions are called inside the host's calls, on their thread. */
#define APPLY
#include <pthread.h>

#include "sound.h"
static void *greet(void *user) {
  const dsh_host *host = user;
  host->log(host, DSH_INFO, "hello", 5);
  return NULL;
}
int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  (void)host, (void)config, (void)size, (void)error;
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status != DSH_OK) return status;
  pthread_t thread;
  if (pthread_create(&thread, NULL, greet, (void *)(uintptr_t)host) != 0)
    return fail(error, "no thread", NULL);
  pthread_join(thread, NULL);
  return add_all(host, NULL, error);
}
