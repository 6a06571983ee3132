/* check: services.inside_apply failed: add was called outside apply */
/* A registration that no host expects. */
#define APPEND_NOTE
#define PREPARE
#include "sound.h"

static const dsh_host *the_host;

static int32_t append_note(const dsh_call *call, const dsh_error *error) {
  (void)call;
  add_invariant(the_host, NULL, error);
  return DSH_OK;
}

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  (void)error;
  the_host = host;
  return DSH_OK;
}
