/* check: library.quick warning: of processor time */
/* Work in a constructor: every host pays for it at start-up, also one that never applies the plugin. */
#include <time.h>

#include "sound.h"
__attribute__((constructor)) static void start(void) {
  while (clock() < CLOCKS_PER_SEC / 4) {
  }
}
