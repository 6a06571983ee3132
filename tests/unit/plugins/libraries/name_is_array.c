#define NO_NAME
#include "common.h"
EXPORTED const char name[] = "an array";
