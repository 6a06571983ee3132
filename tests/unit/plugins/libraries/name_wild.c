#define NO_NAME
#include "common.h"
EXPORTED const char *const name = (const char *)16;
