/* error: conflicting type */
#include <dsh/plugin.h>
/* A host reads a pointer where `name` lies; an array would hand it letters for an address. */
#ifdef MISTAKE
const char name[] = "label";
#else
const char *const name = "label";
#endif
