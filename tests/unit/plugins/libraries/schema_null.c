#include "common.h"
EXPORTED const char *const config_schema = NULL;
