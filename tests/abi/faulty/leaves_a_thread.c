/* check: process.threads crashed|failed: outlive it|SIG */
/* flags: -pthread */
/* A thread runs on in code that is no longer there. */
#define _DEFAULT_SOURCE
#define APPLY
#include <pthread.h>
#include <unistd.h>

#include "sound.h"
static void *wait_for_ever(void *user) {
  pause();
  return user;
}
int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  (void)host, (void)config, (void)size, (void)error;
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status != DSH_OK) return status;
  pthread_t thread;
  if (pthread_create(&thread, NULL, wait_for_ever, NULL) != 0) return fail(error, "no thread", NULL);
  pthread_detach(thread);
  return add_all(host, NULL, error);
}
