/* check: process.threads crashed|failed: outlive it|SIG */
/* flags: -pthread */
/* A thread runs on in code that is no longer there. */
#define _DEFAULT_SOURCE
#define PREPARE
#include <pthread.h>
#include <unistd.h>

#include "sound.h"

static void *wait_for_ever(void *user) {
  pause();
  return user;
}

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  (void)host;
  pthread_t thread;
  if (pthread_create(&thread, NULL, wait_for_ever, NULL) != 0) return fail(error, "no thread", NULL);
  pthread_detach(thread);
  return DSH_OK;
}
