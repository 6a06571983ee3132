/* check: config.schema failed: pattern.* not in the dialect */
/* Hosts need not know more than the dialect. */
#define CONFIG_SCHEMA "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"string\",\"pattern\":\"^a\"}}}"
#include "sound.h"
