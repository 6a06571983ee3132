/* check: process.terminate failed: it changed the terminate handler */
/* The handler is the program's, and this one is gone when the library is unmapped. */
#define APPLY
#include <cstdlib>
#include <exception>

#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  int32_t status = good_host(host, error);
  if (status == DSH_OK) status = good_config(config, size, error);
  if (status != DSH_OK) return status;
  std::set_terminate([] { std::_Exit(1); });
  return add_all(host, NULL, error);
}
