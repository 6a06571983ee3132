#define NO_NAME
#include "common.h"
static const char text[4096] = {[0 ... 4095] = 'x'};
EXPORTED const char *const name = text;
