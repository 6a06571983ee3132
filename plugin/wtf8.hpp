// Text as JavaScript sees it, kept as WTF-8: UTF-8 that may also hold lone surrogates, each as the three
// bytes that UTF-8 would give it. Two texts are equal by code unit exactly where their bytes are.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dsh::todo {

/// The offset of the first byte that is no strict UTF-8 (overlong forms, surrogates and what lies beyond
/// U+10FFFF included); npos where there is none.
std::size_t find_invalid_utf8(std::string_view text) noexcept;

/// A code point and the number of bytes it takes.
struct CodePoint {
  char32_t value;
  std::size_t size;
};

/// The code point that starts at `at`, which must be a start within sound WTF-8.
CodePoint decode(std::string_view wtf8, std::size_t at) noexcept;

/// The bytes that a code point takes at most.
inline constexpr std::size_t longest_code_point = 4;

/// Writes a code point, which may be a surrogate, to `at`. Gives the end of what it wrote.
char *put_code_point(char *at, char32_t value) noexcept;

/// Appends a code point, which may be a surrogate.
void append_code_point(std::string &wtf8, char32_t value);

/// Is `value` half of a pair of UTF-16?
constexpr bool is_surrogate(char32_t value) noexcept { return value >= 0xD800 && value <= 0xDFFF; }

/// WhiteSpace and LineTerminator of ECMAScript, which is what trim takes off. Neither U+0085 nor U+180E,
/// U+200B or U+2060 is among them.
bool is_js_space(char32_t c) noexcept;

/// `text` without what String.prototype.trim takes off its ends.
std::string_view trim(std::string_view wtf8) noexcept;

}  // namespace dsh::todo
