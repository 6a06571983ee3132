/* The same plugin built again: its apply answers otherwise. */
#define APPLY_STATUS DSH_NONE
#include "common.h"
