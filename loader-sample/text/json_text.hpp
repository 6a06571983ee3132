// JSON as text: checking it in one pass, reading it into a DOM, writing it as JSON.stringify does.
//
// A JSON text is strict UTF-8 in which a lone surrogate stands as the escape \udxxx. Inside parsed
// strings a lone surrogate is its three WTF-8 bytes, and is written as an escape again, so that
// every text of the reference survives.
#pragma once

#include <boost/json/fwd.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace dsh::loader {

/// Nesting that every JSON text of the host stays within: generous, and safe on the stack of any thread.
inline constexpr std::size_t max_json_depth = 10000;

/// The last whole number that JSON carries exactly everywhere, as the highest seq: 2^53 - 1.
inline constexpr std::int64_t max_safe_integer = 9007199254740991;

/// What one pass over a text found.
struct JsonCheck {
  /// Why it is no JSON text ("expected a value"), or null: it is one.
  const char *fault = nullptr;
  /// Of the fault, in bytes.
  std::size_t offset = 0;
  /// Whitespace stands outside its strings: compact_json() makes it shorter.
  bool spaced = false;
  /// A number in it is -0 or beyond the range of a double. An overwritten duplicate key counts too.
  bool lossy = false;

  explicit operator bool() const noexcept { return fault == nullptr; }
};

/// Checks a whole text: grammar, strict UTF-8, depth. Allocates nothing, reads the text once.
JsonCheck check_json(std::string_view text) noexcept;

/// The same, and the value of an object's only member, where it is a compact text (not `spaced`): `[1]` of
/// `{"a":[1]}`; empty where the text is something else.
JsonCheck check_json(std::string_view text, std::string_view &only_value) noexcept;

/// What check_json() finds, `lossy` aside, where the text begins like another: an object of some member,
/// compact and checked before, whose `known` bytes before its closing brace stand here too.
JsonCheck check_json_rest(std::string_view text, std::size_t known) noexcept;

/// True for a text that JSON.parse and JSON.stringify carry without loss: JSON without -0 and without
/// numbers beyond a double's range. The last of duplicate keys decides, as in the parsed value.
bool is_lossless_json(std::string_view text);

/// The text without whitespace outside its strings; nothing else changes. `text` is JSON.
std::string compact_json(std::string_view text);

/// Parses a text; of duplicate keys the last wins, at the first's position; doubles are exact.
/// Throws Error: `not JSON: <fault> at byte <n>`.
boost::json::value parse_json(std::string_view text);

/// As JSON.stringify writes it. Strings are WTF-8; bytes that are not even that become U+FFFD.
std::string to_json(const boost::json::value &value);
void append_json(std::string &out, const boost::json::value &value);

/// Appends `text` (WTF-8) as a JSON string with its quotes, escaped as JSON.stringify does.
void append_json_string(std::string &out, std::string_view text);
std::string json_string(std::string_view text);

/// A JSON text given in WTF-8 (what somebody wrote, checked by nobody) with its lone surrogates as escapes:
/// strict UTF-8 that means the same to JSON.parse, or is as little JSON as before.
std::string strict_json_text(std::string text);

/// The double nearest to a decimal number, infinite beyond the range, zero below it, its sign kept. `number`
/// is spelt as in JSON; zeros in front, and a point without digits on one side, are taken too.
double read_double(std::string_view number) noexcept;

/// A number as JavaScript prints it: "1", "1e+21", "0.1"; "null" where it is not finite.
std::string json_number(double number);
void append_integer(std::string &out, std::int64_t number);

}  // namespace dsh::loader
