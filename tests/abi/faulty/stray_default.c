/* check: library.opens failed: symbol `default` */
/* A default export beside the contract. */
#include "sound.h"
extern DSH_EXPORT const int stray __asm__("default");
const int stray = 1;
