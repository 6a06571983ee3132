#define NO_APPLY
#include "common.h"
EXPORTED const int apply = 1;
