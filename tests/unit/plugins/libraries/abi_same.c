#include "common.h"
EXPORTED const uint32_t abi_version = DSH_ABI_VERSION;
