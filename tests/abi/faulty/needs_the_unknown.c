/* check: services.known warning: telepathy */
/* It waits for ever, and says so nowhere. */
#define INJECT
#include "sound.h"
const char *const inject[] = {DSH_TOOLS, "telepathy", NULL};
