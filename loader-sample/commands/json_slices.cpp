#include "commands/json_slices.hpp"

#include <cstddef>

namespace dsh::loader {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

/// Walks the values of a valid JSON text. What it skips it doesn't look into.
class Walker {
 public:
  explicit Walker(std::string_view text) : text_(text) {}

  /// The next character that is no space, without taking it; NUL at the end.
  char peek() {
    at_ = std::min(text_.find_first_not_of(kSpace, at_), text_.size());
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  void take() { ++at_; }

  /// Takes the value that comes next.
  std::string_view value() {
    const char first = peek();
    const std::size_t start = at_;
    if (first == '"') {
      skip_string();
    } else if (first == '{' || first == '[') {
      skip_nested();
    } else {
      at_ = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
    }
    return text_.substr(start, at_ - start);
  }

 private:
  void skip_string() {
    ++at_;
    while (at_ < text_.size() && text_[at_] != '"') at_ += text_[at_] == '\\' ? 2 : 1;
    at_ = std::min(at_ + 1, text_.size());
  }

  void skip_nested() {
    std::size_t depth = 0;
    do {
      const char one = text_[at_];
      if (one == '"') {
        skip_string();
        continue;
      }
      if (one == '{' || one == '[') ++depth;
      if (one == '}' || one == ']') --depth;
      ++at_;
    } while (depth > 0 && at_ < text_.size());
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<JsonMember> json_members(std::string_view text) {
  std::vector<JsonMember> members;
  Walker walker(text);
  if (walker.peek() != '{') return members;
  walker.take();
  while (walker.peek() == '"') {
    const std::string_view key = walker.value();
    if (walker.peek() == ':') walker.take();
    members.push_back({key, walker.value()});
    if (walker.peek() == ',') walker.take();
  }
  return members;
}

std::vector<std::string_view> json_elements(std::string_view text) {
  std::vector<std::string_view> elements;
  Walker walker(text);
  if (walker.peek() != '[') return elements;
  walker.take();
  while (walker.peek() != ']') {
    const std::string_view element = walker.value();
    if (element.empty()) break;
    elements.push_back(element);
    if (walker.peek() == ',') walker.take();
  }
  return elements;
}

}  // namespace dsh::loader
