#define NO_APPLY
#include "common.h"
