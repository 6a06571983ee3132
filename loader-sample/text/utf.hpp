// Code points of WTF-8 text: UTF-8 that may also hold lone surrogates, and whose bytes nobody vouches
// for. Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dsh::loader {

/// What stands at the start of a text: a code point (a lone surrogate, U+D800-DFFF, is one) and the
/// number of bytes it takes. A byte that begins no code point is {U+FFFD, 1, false}.
struct CodePoint {
  char32_t value = 0;
  std::size_t size = 0;
  bool valid = true;
};

constexpr char32_t replacement_character = 0xFFFD;

/// Reads the first code point of `text`, which is not empty.
CodePoint first_code_point(std::string_view text);

/// Appends `value` as (W)UTF-8.
void append_code_point(std::string &out, char32_t value);

constexpr bool is_surrogate(char32_t value) { return value >= 0xD800 && value <= 0xDFFF; }

/// `text` as strict UTF-8: lone surrogates and stray bytes become U+FFFD.
std::string to_utf8(std::string_view text);

}  // namespace dsh::loader
