/* check: library.opens failed: `name` is not printable ASCII */
/* A label that would clear the terminal of whoever lists plugins. */
#define NAME
#include "sound.h"
const char *const name = "nice\x1b[2J";
