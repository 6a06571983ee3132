/* Nothing is replaced: everything that applies passes, without a warning. */
#include "sound.h"
