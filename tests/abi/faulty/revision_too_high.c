/* check: library.opens failed: revision 99 .* this host knows 1 */
/* Written for a contract that this host does not know. */
#include "sound.h"
const uint32_t abi_version = 99;
