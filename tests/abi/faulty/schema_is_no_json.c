/* check: config.schema failed: not JSON */
/* A settings page would show nothing. */
#define CONFIG_SCHEMA "{type: object}"
#include "sound.h"
