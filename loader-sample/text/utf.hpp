// UTF-8, WTF-8 (UTF-8 that may hold lone surrogates) and UTF-16.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace dsh::loader {

/// One step through a WTF-8 text.
struct CodePoint {
  std::uint32_t value = 0;  ///< U+FFFD where the bytes are malformed
  std::size_t size = 0;     ///< bytes taken, at least 1
  bool valid = false;       ///< false: `size` bytes that are no WTF-8
};

/// The code point at the start of `text`, which is not empty. A lone surrogate is valid.
CodePoint decode(std::string_view text) noexcept;

/// Appends a code point, surrogates as their three bytes. Values above 0x10FFFF become U+FFFD.
void append_code_point(std::string &out, std::uint32_t value);

inline bool is_surrogate(std::uint32_t value) noexcept { return value >= 0xD800 && value <= 0xDFFF; }

/// The first `bytes` of a valid text, or up to three less: no character is cut.
std::string_view start_of_text(std::string_view text, std::size_t bytes) noexcept;

/// The text; of a longer one than `bytes` its start and an ellipsis.
std::string excerpt(std::string_view text, std::size_t bytes);

/// Strict UTF-8: no surrogates, nothing overlong, nothing above U+10FFFF.
bool is_utf8(std::string_view text) noexcept;

/// UTF-8 in which lone surrogates are allowed.
bool is_wtf8(std::string_view text) noexcept;

/// `text` as valid WTF-8: malformed bytes become U+FFFD.
std::string to_wtf8(std::string_view text);

/// `text` as strict UTF-8: malformed bytes and lone surrogates become U+FFFD.
std::string to_utf8(std::string_view text);

/// UTF-16 code units, as JavaScript counts them.
std::u16string to_utf16(std::string_view text);

}  // namespace dsh::loader
