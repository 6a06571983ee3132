/* check: tools.descriptor failed: has not "type":"object" */
/* Models send objects. */
#define PARAMETERS "{\"type\":\"array\"}"
#include "sound.h"
