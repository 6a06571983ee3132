#define NO_NAME
#include "common.h"
