/* check: library.opens crashed: SIGSEGV: opening the library */
/* Constructors run inside dlopen, before any check. */
#include "sound.h"

static int *volatile nowhere;
__attribute__((constructor)) static void start(void) { *nowhere = 1; }
