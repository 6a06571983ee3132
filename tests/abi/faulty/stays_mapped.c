/* check: library.unmaps failed: stays mapped */
/* flags: -Wl,-z,nodelete */
/* Old code runs on after the file was replaced. */
#include "sound.h"
