/* check: library.opens failed: does not end with a null pointer */
/* A host would read on into whatever follows. */
#define INJECT
#include "sound.h"
const char *const inject[] = {DSH_TOOLS};
