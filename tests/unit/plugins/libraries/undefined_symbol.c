#include "common.h"
int nobody_defines_this(void);
EXPORTED int use_it(void);
int use_it(void) { return nobody_defines_this(); }
