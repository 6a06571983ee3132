/* check: config.valid failed: though it keeps config_schema */
/* Schema and apply disagree: who follows the schema is refused. */
#define APPLY
#define CONFIG_SCHEMA \
  "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},\"required\":[\"n\"]}"
#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  (void)host, (void)config, (void)size, (void)error;
  return fail(error, "not like this", DSH_INVALID_CONFIG);
}
