/* error: conflicting types for .apply */
#include <dsh/plugin.h>
/* The config is no NUL-terminated text. */
#ifdef MISTAKE
int32_t DSH_CALL apply(const dsh_host *host, const char *config, const dsh_error *error) {
  (void)host, (void)config, (void)error;
  return DSH_OK;
}
#else
int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  (void)host, (void)config, (void)size, (void)error;
  return DSH_OK;
}
#endif
