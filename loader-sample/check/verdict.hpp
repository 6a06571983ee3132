// What a test of `check` comes to, and how its code says so.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace dsh::loader::check {

enum class Verdict {
  passed,
  failed,   ///< the plugin breaks the contract
  crashed,  ///< the plugin took the process down, or the time ran out
  skipped,  ///< the plugin has nothing to test here, or cannot be tested
  warning   ///< allowed, and unwise
};

/// The word for it: "passed".
std::string_view to_string(Verdict verdict) noexcept;

/// Thrown by a test that ends otherwise than passed. The text is the first cause.
class Finding : public std::runtime_error {
 public:
  Finding(Verdict verdict, const std::string &cause)
      : std::runtime_error(cause), verdict_(verdict), cause_(cause) {}
  Verdict verdict() const noexcept { return verdict_; }
  /// All of the text: what() ends at a NUL, which a plugin's words may hold.
  const std::string &cause() const noexcept { return cause_; }

 private:
  Verdict verdict_;
  std::string cause_;
};

[[noreturn]] inline void fail(const std::string &cause) { throw Finding(Verdict::failed, cause); }
[[noreturn]] inline void warn(const std::string &cause) { throw Finding(Verdict::warning, cause); }
[[noreturn]] inline void skip(const std::string &why) { throw Finding(Verdict::skipped, why); }

inline void require(bool holds, const std::string &cause) {
  if (!holds) fail(cause);
}

}  // namespace dsh::loader::check
