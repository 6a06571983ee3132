/* check: library.opens failed: `config_schema` does not end within 1000000 bytes */
/* One more than a million. */
#define CONFIG_SCHEMA text
static char text[1000002];
#include "sound.h"

__attribute__((constructor)) static void fill(void) { memset(text, ' ', sizeof text - 1); }
