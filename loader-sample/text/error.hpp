// The exception of the sample host: a text for people, and what travels with it.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace dsh::loader {

/// What went wrong, as one text that says what, where and what to do. `name` and `code` are a
/// plugin's error info (dsh_error) and empty elsewhere.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string &text, std::string name = {}, std::string code = {})
      : std::runtime_error(text), text_(text), name_(std::move(name)), code_(std::move(code)) {}

  /// All of the text: what() ends at a NUL, which a name in a message may hold.
  const std::string &text() const noexcept { return text_; }
  const std::string &name() const noexcept { return name_; }
  const std::string &code() const noexcept { return code_; }

 private:
  std::string text_;
  std::string name_;
  std::string code_;
};

/// The whole text of whatever was thrown.
inline std::string text_of(const std::exception &error) {
  const auto *const ours = dynamic_cast<const Error *>(&error);
  return ours == nullptr ? error.what() : ours->text();
}

}  // namespace dsh::loader
