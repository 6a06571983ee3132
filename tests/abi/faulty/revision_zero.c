/* check: library.opens failed: `abi_version` is 0 */
/* There was no revision 0. */
#include "sound.h"
const uint32_t abi_version = 0;
