/* check: process.terminate failed: it changed the terminate handler */
/* The handler is the program's, and this one is gone when the library is unmapped. */
#define PREPARE
#include <cstdlib>
#include <exception>

#include "sound.h"

static int32_t prepare(const dsh_host *, const dsh_error *) {
  std::set_terminate([] { std::_Exit(1); });
  return DSH_OK;
}
