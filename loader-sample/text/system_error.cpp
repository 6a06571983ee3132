#include "text/system_error.hpp"

#include <system_error>

namespace dsh::loader {

std::string system_error_text(const std::string &what, int error) {
  return what + ": " + std::generic_category().message(error);
}

}  // namespace dsh::loader
