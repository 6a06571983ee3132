#include "text/descriptor.hpp"

#include <fcntl.h>

#include <string>

namespace dsh::loader {

Descriptor opened_anew(int descriptor) {
  const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
  return Descriptor(::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
}

}  // namespace dsh::loader
