#include <stddef.h>
__attribute__((visibility("default"))) const char *const name = "dependency";
