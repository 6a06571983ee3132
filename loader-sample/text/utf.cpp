#include "text/utf.hpp"

#include <cstring>

namespace dsh::loader {
namespace {

constexpr std::uint32_t replacement = 0xFFFD;

constexpr bool is_tail(unsigned char byte) noexcept { return (byte & 0xC0U) == 0x80; }

// Takes the ASCII off that the text starts with.
void skip_ascii(std::string_view &text) noexcept {
  std::uint64_t word = 0;
  while (text.size() >= sizeof word) {
    std::memcpy(&word, text.data(), sizeof word);
    if ((word & 0x8080'8080'8080'8080U) != 0) break;
    text.remove_prefix(sizeof word);
  }
  while (!text.empty() && static_cast<unsigned char>(text.front()) < 0x80) text.remove_prefix(1);
}

}  // namespace

CodePoint decode(std::string_view text) noexcept {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = at(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4) return {replacement, 1, false};
  std::uint32_t value = lead & (0x7FU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if (i >= text.size() || !is_tail(at(i))) return {replacement, i, false};
    value = (value << 6U) | (at(i) & 0x3FU);
    // Of the second byte alone: what would be overlong or beyond U+10FFFF.
    if (i == 1 &&
        ((lead == 0xE0 && at(1) < 0xA0) || (lead == 0xF0 && at(1) < 0x90) || (lead == 0xF4 && at(1) > 0x8F)))
      return {replacement, 1, false};
  }
  return {value, size, true};
}

std::string_view start_of_text(std::string_view text, std::size_t bytes) noexcept {
  if (text.size() <= bytes) return text;
  while (bytes > 0 && is_tail(static_cast<unsigned char>(text[bytes]))) --bytes;
  return text.substr(0, bytes);
}

std::string excerpt(std::string_view text, std::size_t bytes) {
  std::string start(start_of_text(text, bytes));
  if (start.size() < text.size()) start += "…";
  return start;
}

void append_code_point(std::string &out, std::uint32_t value) {
  if (value > 0x10FFFF) value = replacement;
  if (value < 0x80) {
    out += static_cast<char>(value);
    return;
  }
  const int tails = value < 0x800 ? 1 : value < 0x10000 ? 2 : 3;
  const unsigned lead = tails == 1 ? 0xC0U : tails == 2 ? 0xE0U : 0xF0U;
  out += static_cast<char>(lead | (value >> static_cast<unsigned>(6 * tails)));
  for (int i = tails - 1; i >= 0; --i)
    out += static_cast<char>(0x80U | ((value >> static_cast<unsigned>(6 * i)) & 0x3FU));
}

bool is_wtf8(std::string_view text) noexcept {
  for (skip_ascii(text); !text.empty(); skip_ascii(text)) {
    const CodePoint point = decode(text);
    if (!point.valid) return false;
    text.remove_prefix(point.size);
  }
  return true;
}

bool is_utf8(std::string_view text) noexcept {
  for (skip_ascii(text); !text.empty(); skip_ascii(text)) {
    const CodePoint point = decode(text);
    if (!point.valid || is_surrogate(point.value)) return false;
    text.remove_prefix(point.size);
  }
  return true;
}

std::string to_wtf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const CodePoint point = decode(text);
    append_code_point(out, point.value);
    text.remove_prefix(point.size);
  }
  return out;
}

std::string to_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const CodePoint point = decode(text);
    append_code_point(out, is_surrogate(point.value) ? replacement : point.value);
    text.remove_prefix(point.size);
  }
  return out;
}

std::u16string to_utf16(std::string_view text) {
  std::u16string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const CodePoint point = decode(text);
    if (point.value >= 0x10000) {
      const std::uint32_t rest = point.value - 0x10000;
      out += static_cast<char16_t>(0xD800 + (rest >> 10U));
      out += static_cast<char16_t>(0xDC00 + (rest & 0x3FFU));
    } else {
      out += static_cast<char16_t>(point.value);
    }
    text.remove_prefix(point.size);
  }
  return out;
}

}  // namespace dsh::loader
