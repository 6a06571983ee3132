#include "common.h"
int missing(void);
EXPORTED int use_missing(void);
int use_missing(void) { return missing(); }
