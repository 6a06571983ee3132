// Why a call, a config or a stored list is not accepted.
#pragma once

#include <exception>
#include <string>
#include <utility>

namespace dsh::todo {

/// Thrown by the pure functions of this folder. The text is WTF-8 and may hold any character, NUL too:
/// use text(), what() ends at the first NUL.
class Refusal : public std::exception {
 public:
  explicit Refusal(std::string text) : text_(std::move(text)) {}

  const std::string &text() const noexcept { return text_; }
  const char *what() const noexcept override { return text_.c_str(); }

 private:
  std::string text_;
};

/// Arguments that are not what the schema says: the one kind of refusal that carries error info.
class SchemaRefusal : public Refusal {
 public:
  /// `violations`, joined by "; ".
  explicit SchemaRefusal(const std::string &violations) : Refusal("invalid arguments: " + violations) {}
};

}  // namespace dsh::todo
