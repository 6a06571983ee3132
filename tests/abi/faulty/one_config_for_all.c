/* check: life.side_by_side failed: beside an instance with the config */
/* State of one instance in a global variable. */
#define ANSWER
#define APPLY
#define CONFIG_SCHEMA \
  "{\"type\":\"object\",\"properties\":{\"loud\":{\"type\":\"boolean\"}},\"required\":[\"loud\"]}"
#include "sound.h"

static int loud;

static int32_t answer(const dsh_call *call, const dsh_out *value, const dsh_out *text,
                      const dsh_error *error) {
  (void)call, (void)error;
  say(value, "{\"ok\":true}");
  return say(text, loud ? "NOTED!" : "Noted.");
}

int32_t DSH_CALL apply(const dsh_host *host, const char *config, size_t size, const dsh_error *error) {
  (void)config;
  int32_t status = good_host(host, error);
  if (status != DSH_OK) return status;
  if (size < 12 || memcmp(config, "{\"loud\":", 8) != 0)
    return fail(error, "loud is missing", DSH_INVALID_CONFIG);
  loud = config[8] == 't';
  return add_tool(host, NULL, error);
}
