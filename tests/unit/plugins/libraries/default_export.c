#include "common.h"
extern EXPORTED const int stray __asm__("default");
const int stray = 1;
