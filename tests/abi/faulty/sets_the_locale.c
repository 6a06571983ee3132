/* check: process.locale failed: locale */
/* Numbers are printed otherwise in the whole process. */
#define PREPARE
#include <locale.h>

#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  (void)host, (void)error;
  setlocale(LC_ALL, "C.UTF-8");
  return DSH_OK;
}
