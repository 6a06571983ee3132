#include "common.h"
EXPORTED const uint32_t abi_version = 0;
