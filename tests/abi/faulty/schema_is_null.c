/* check: library.opens failed: `config_schema` is null */
/* Declared, and empty. */
#define CONFIG_SCHEMA NULL
#include "sound.h"
