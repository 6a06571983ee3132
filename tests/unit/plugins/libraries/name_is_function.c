#define NO_NAME
#include "common.h"
EXPORTED int name(void);
int name(void) { return 0; }
