// Reading JSON in place: one pass that checks a text and hands out the spans of its members, copying
// nothing. What every line of a log goes through.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "text/json_runs.hpp"

namespace dsh::loader {

/// A string as it stands in the text, without its quotes.
struct JsonString {
  std::string_view raw;
  bool escaped = false;  ///< holds a backslash

  /// Does it spell `plain`, a text without backslashes?
  bool operator==(std::string_view plain) const {
    return escaped ? spell_the_same(raw, plain) : raw == plain;
  }
  /// The string it spells, in WTF-8.
  std::string decode() const;
};

/// Walks over the members of an object, or the elements of an array:
///   while (reader.next_member(key) && reader.value(span)) …
///   if (!reader.finish()) … reader.problem()
/// After a failure every function returns false. The text outlives the spans, which point into it. One
/// thread at a time.
class JsonReader {
 public:
  explicit JsonReader(std::string_view text)
      : begin_(text.data()), at_(text.data()), end_(text.data() + text.size()) {}

  /// Checks the value at hand and steps over it.
  bool value(std::string_view &span);

  /// At the start of an object, or behind a member's value: reads the next key and its colon. False at
  /// the closing brace, which it steps over, and on failure.
  bool next_member(JsonString &key);

  /// The same for an array: true where a value follows.
  bool next_element() { return open_or_comma('[', ']'); }

  /// Nothing failed, and nothing but white space is left.
  bool finish();

  bool failed() const { return problem_ != nullptr; }
  const char *problem() const { return problem_ == nullptr ? "" : problem_; }
  /// Where it failed, in bytes from the start of the text.
  std::size_t position() const { return static_cast<std::size_t>(at_ - begin_); }

 private:
  bool fail(const char *problem) {
    if (problem_ == nullptr) problem_ = problem;
    return false;
  }
  void skip_space() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\t' || *at_ == '\r')) ++at_;
  }
  std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }
  bool open_or_comma(char open, char close);

  const char *begin_;
  const char *at_;
  const char *end_;
  const char *problem_ = nullptr;
  bool opened_ = false;  ///< the bracket of the object or array was read
};

/// What kind of value a checked span holds, by its first byte.
inline bool is_json_object(std::string_view span) { return !span.empty() && span.front() == '{'; }
inline bool is_json_array(std::string_view span) { return !span.empty() && span.front() == '['; }
inline bool is_json_string(std::string_view span) { return !span.empty() && span.front() == '"'; }
inline bool is_json_number(std::string_view span) {
  return !span.empty() && (span.front() == '-' || (span.front() >= '0' && span.front() <= '9'));
}

/// The value of a key in a checked span that holds an object; empty when it has no such key, or is no
/// object. Of a key that stands there twice, the last.
std::string_view json_member(std::string_view object, std::string_view key);

/// The string in a checked span (with its quotes), in WTF-8. Nothing for another kind of value.
std::optional<std::string> string_value(std::string_view span);

/// The number in a checked span if it is an integer that a double holds exactly (however it is spelt:
/// 12, 1.2e1). Nothing for -0, fractions, anything from 2^53 on, and other kinds of values.
std::optional<std::int64_t> integer_value(std::string_view span);

}  // namespace dsh::loader
