// Calls of the system that fail, or that a signal comes between.
#pragma once

#include <cerrno>
#include <string>

namespace dsh::loader {

/// `what`, then what the number means: "can't open /x/session.jsonl: Permission denied".
std::string system_error_text(const std::string &what, int error);

/// Makes a call again for as long as a signal comes between.
template <typename Call>
auto retried(const Call &call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

}  // namespace dsh::loader
