/* check: config.invalid failed: accepted, though it breaks config_schema */
/* Schema and apply disagree: a typing error goes unnoticed. */
#define APPLY
#define CONFIG_SCHEMA \
  "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},\"required\":[\"n\"]}"
#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  (void)host, (void)config, (void)size, (void)error;
  return add_all(host, NULL, error);
}
