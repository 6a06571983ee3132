/* check: invariants.descriptor failed: the owner of an invariant is no UTF-8 */
/* Names are texts, and the host puts them into JSON. */
#define OWNER "b\374ro"
#include "sound.h"
