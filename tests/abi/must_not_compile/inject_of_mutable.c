/* error: conflicting type */
#include <dsh/plugin.h>
/* A plugin has no mutable state outside its user pointers. */
#ifdef MISTAKE
const char *inject[] = {"tools", NULL};
#else
const char *const inject[] = {"tools", NULL};
#endif
