/* limit: 10 */
/* Its apply takes a while, as one does that opens a data base. */
#define _POSIX_C_SOURCE 199309L
#define PREPARE
#include <time.h>

#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  (void)host, (void)error;
  const struct timespec a_while = {0, 150 * 1000 * 1000};
  nanosleep(&a_while, NULL);
  return DSH_OK;
}
