/* All but the revision is missing: the revision must be looked at first. */
#include <dsh/abi.h>
__attribute__((visibility("default"))) const uint32_t abi_version = DSH_ABI_VERSION + 6;
