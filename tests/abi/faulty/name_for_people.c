/* check: tools.manners warning: models refuse it */
/* Spaces in a name are refused by most models. */
#define TOOL_NAME "take a note!"
#include "sound.h"
