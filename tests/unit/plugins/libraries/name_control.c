#define NO_NAME
#include "common.h"
EXPORTED const char *const name = "red\033[31m";
