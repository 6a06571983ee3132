/* check: tools.descriptor failed: minLength.* not in the dialect */
/* Hosts need not know more than the dialect. */
#define OUTPUT "{\"type\":\"object\",\"properties\":{\"ok\":{\"type\":\"string\",\"minLength\":1}}}"
#include "sound.h"
