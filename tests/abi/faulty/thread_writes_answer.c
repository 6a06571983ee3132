/* check: tools.inside failed: used on another thread */
/* flags: -pthread */
/* A sink belongs to the thread of its call. */
#define ANSWER
#include <pthread.h>

#include "sound.h"

static void *write_text(void *text) {
  say(text, "Noted.");
  return NULL;
}

static int32_t answer(const dsh_call *call, const dsh_out *value, const dsh_out *text,
                      const dsh_error *error) {
  (void)call;
  pthread_t thread;
  say(value, "{\"ok\":true}");
  if (pthread_create(&thread, NULL, write_text, (void *)(uintptr_t)text) != 0)
    return fail(error, "no thread", NULL);
  pthread_join(thread, NULL);
  return DSH_OK;
}
