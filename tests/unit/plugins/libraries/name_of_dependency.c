#define NO_NAME
#include "common.h"
extern const char *const name;
EXPORTED const char *const *borrowed(void);
const char *const *borrowed(void) { return &name; }
