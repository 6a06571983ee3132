// error: invalid conversion|cannot initialize|cannot convert
// A status is a number.
#include <dsh/abi.h>
int32_t status();
int32_t status() {
#ifdef MISTAKE
  return "failed";
#else
  return DSH_ERROR;
#endif
}
