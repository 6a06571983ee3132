/* check: tools.exceptions failed: an exception left execute */
/* The host may be written in C, or built with another C++ library. */
#define EXECUTE
#include <stdexcept>

#include "sound.h"

static int32_t DSH_CALL execute(void *, const dsh_call *call, const dsh_out *value, const dsh_out *text,
                                const dsh_error *error) {
  if (!looks_like_object(call->arguments.data, call->arguments.size))
    throw std::invalid_argument("the arguments must be an object");
  return answer(call, value, text, error);
}
