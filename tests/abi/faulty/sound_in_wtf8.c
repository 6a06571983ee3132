/* Texts that the contract allows, though few would write them: lone surrogates, a NUL, an event type that is
 * empty. */
#define OWNER "@example/\xed\xa0\x80\0notes"
#define DESCRIPTION "Notes \xed\xa0\x80 something."
#define KEY "last\xed\xa0\x80Note"
#define TYPES \
  { DSH_STR("feedback/record"), DSH_STR(""), DSH_STR("\xed\xa0\x80") }
#include "sound.h"
