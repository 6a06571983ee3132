/* check: services.accepted failed: the descriptor of an observer lies in memory that may not be read */
/* More than there is: the descriptor ends with its page. */
#define _DEFAULT_SOURCE
#define PREPARE
#include <sys/mman.h>
#include <unistd.h>

#include "sound.h"

static int32_t prepare(const dsh_host *host, const dsh_error *error) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED || munmap(pages + page, page) != 0) return fail(error, "no page", NULL);
  dsh_observer *observer = (dsh_observer *)(void *)(pages + page - offsetof(dsh_observer, created));
  observer->struct_size = sizeof *observer;
  const int32_t status = register_observer(host, observer, error);
  munmap(pages, page);
  return status;
}
