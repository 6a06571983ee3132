#define NO_INJECT
#include "common.h"
