/* check: library.exports failed: exports more than the contract: helper */
/* A second name that another library may take for its own. */
#include "sound.h"
DSH_EXPORT int helper(void);
int helper(void) { return 1; }
