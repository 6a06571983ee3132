#define NO_INJECT
#include "common.h"
EXPORTED const char *const inject[] = {"tools"};
