/* check: config.refusal failed: instead of INVALID_CONFIG */
/* A host cannot tell a bad config from a broken plugin. */
#define APPLY
#define CONFIG_SCHEMA \
  "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"integer\"}},\"required\":[\"n\"]}"
#include "sound.h"

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  (void)host, (void)config, (void)size, (void)error;
  if (size < 5 || memcmp(config, "{\"n\":", 5) != 0 ||
      (config[5] != '-' && (config[5] < '0' || config[5] > '9')))
    return fail(error, "n is missing or no number", NULL);
  return add_all(host, NULL, error);
}
