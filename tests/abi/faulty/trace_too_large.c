/* check: services.accepted failed: 4096 is the most */
/* No host need keep more for a session. */
#define TRACE_SIZE 5000
#include "sound.h"
