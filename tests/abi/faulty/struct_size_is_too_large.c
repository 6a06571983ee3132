/* check: services.accepted failed: the descriptor of an observer lies in memory that may not be read */
/* More than there is: the descriptor ends with its page. */
#define _DEFAULT_SOURCE
#define APPLY
#include <sys/mman.h>
#include <unistd.h>

#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status != DSH_OK) return status;
  const dsh_sessions *sessions = (const dsh_sessions *)host->service(host, DSH_SESSIONS);
  if (sessions != NULL && DSH_HAS(sessions, add)) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED || munmap(pages + page, page) != 0) return fail(error, "no page", NULL);
    dsh_observer *observer = (dsh_observer *)(void *)(pages + page - offsetof(dsh_observer, created));
    observer->struct_size = sizeof *observer;
    status = sessions->add(host, observer, error);
    munmap(pages, page);
    if (status != DSH_OK) return status;
  }
  return add_all(host, NULL, error);
}
