/* check: tools.inside failed: used on another thread */
/* flags: -pthread */
/* A sink belongs to the thread of its call. */
#define EXECUTE
#include <pthread.h>

#include "sound.h"
static void *answer(void *text) {
  say(text, "Noted.");
  return NULL;
}
static int32_t DSH_CALL execute(void *user, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  (void)user, (void)call, (void)value, (void)text, (void)error;
  if (!looks_like_object(call->arguments.data, call->arguments.size))
    return fail(error, "the arguments must be an object", "INVALID_ARGS");
  pthread_t thread;
  say(value, "{\"ok\":true}");
  if (pthread_create(&thread, NULL, answer, (void *)(uintptr_t)text) != 0)
    return fail(error, "no thread", NULL);
  pthread_join(thread, NULL);
  return DSH_OK;
}
