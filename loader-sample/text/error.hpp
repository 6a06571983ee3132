// The exception of the sample host: a text for people, and what travels with it.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace dsh::loader {

/// What went wrong, as one text that says what, where and what to do. `name` and `code` are a
/// plugin's error info (dsh_error) and empty elsewhere.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string &text, std::string name = {}, std::string code = {})
      : std::runtime_error(text), name_(std::move(name)), code_(std::move(code)) {}

  const std::string &name() const noexcept { return name_; }
  const std::string &code() const noexcept { return code_; }

 private:
  std::string name_;
  std::string code_;
};

}  // namespace dsh::loader
