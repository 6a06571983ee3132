#define NO_NAME
#include "common.h"
EXPORTED const char *const name = NULL;
