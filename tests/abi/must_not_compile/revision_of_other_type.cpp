// error: conflicting declaration|redefinition of .abi_version. with a different type
// A host reads 32 bits.
#include <dsh/plugin.h>
#ifdef MISTAKE
const unsigned long long abi_version = 1;
#else
const uint32_t abi_version = 1;
#endif
