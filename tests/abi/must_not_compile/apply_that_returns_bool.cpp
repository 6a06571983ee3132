// error: ambiguating new declaration|differ only in their return type
// true would be DSH_ERROR.
#include <dsh/plugin.h>
#ifdef MISTAKE
bool
#else
int32_t
#endif
apply(const dsh_host *, const char *, size_t, const dsh_error *) {
  return DSH_OK;
}
