#define NO_NAME
#include "common.h"
EXPORTED _Thread_local const char *name = "of a thread";
