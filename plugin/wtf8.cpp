#include "wtf8.hpp"

#include <bit>
#include <cstdint>
#include <cstring>

namespace dsh::todo {
namespace {

unsigned char byte_at(std::string_view text, std::size_t at) noexcept {
  return static_cast<unsigned char>(text[at]);
}

bool is_continuation(unsigned char byte) noexcept { return (byte & 0xC0U) == 0x80U; }

/// The length of the sound sequence at `at`, whose first byte is no ASCII; 0 where it is broken.
std::size_t sequence_length(std::string_view text, std::size_t at) noexcept {
  const unsigned char lead = byte_at(text, at);
  // The second byte carries the limits that overlong forms, surrogates and U+10FFFF set.
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
  std::size_t length = 0;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  } else {
    return 0;
  }
  if (text.size() - at < length) return 0;
  if (byte_at(text, at + 1) < low || byte_at(text, at + 1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if (!is_continuation(byte_at(text, at + i))) return 0;
  }
  return length;
}

constexpr std::uint64_t kHighs = 0x8080808080808080U;

/// The first byte at or after `at` that is no ASCII; the text's end where there is none.
std::size_t skip_ascii(std::string_view text, std::size_t at) noexcept {
  if constexpr (std::endian::native == std::endian::little) {
    for (; text.size() - at >= sizeof(std::uint64_t); at += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, text.data() + at, sizeof word);
      if ((word & kHighs) != 0) return at + static_cast<std::size_t>(std::countr_zero(word & kHighs)) / 8;
    }
  }
  while (at < text.size() && byte_at(text, at) < 0x80) ++at;
  return at;
}

/// Is this byte ASCII, but neither space nor a control?
bool is_graphic(char byte) noexcept { return byte > 0x20 && byte < 0x7F; }

}  // namespace

std::size_t find_invalid_utf8(std::string_view text) noexcept {
  for (std::size_t at = skip_ascii(text, 0); at < text.size(); at = skip_ascii(text, at)) {
    do {
      const std::size_t length = sequence_length(text, at);
      if (length == 0) return at;
      at += length;
    } while (at < text.size() && byte_at(text, at) >= 0x80);
  }
  return std::string_view::npos;
}

CodePoint decode(std::string_view wtf8, std::size_t at) noexcept {
  const auto lead = static_cast<char32_t>(byte_at(wtf8, at));
  const auto tail = [&](std::size_t i) { return static_cast<char32_t>(byte_at(wtf8, at + i) & 0x3FU); };
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xE0) return {(lead & 0x1FU) << 6 | tail(1), 2};
  if (lead < 0xF0) return {(lead & 0x0FU) << 12 | tail(1) << 6 | tail(2), 3};
  return {(lead & 0x07U) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3), 4};
}

void append_code_point(std::string &wtf8, char32_t value) {
  const auto add = [&](char32_t byte) { wtf8.push_back(static_cast<char>(byte)); };
  if (value < 0x80) {
    add(value);
  } else if (value < 0x800) {
    add(0xC0 | value >> 6);
    add(0x80 | (value & 0x3F));
  } else if (value < 0x10000) {
    add(0xE0 | value >> 12);
    add(0x80 | (value >> 6 & 0x3F));
    add(0x80 | (value & 0x3F));
  } else {
    add(0xF0 | value >> 18);
    add(0x80 | (value >> 12 & 0x3F));
    add(0x80 | (value >> 6 & 0x3F));
    add(0x80 | (value & 0x3F));
  }
}

bool is_js_space(char32_t c) noexcept {
  switch (c) {
    case 0x20:
    case 0xA0:
    case 0x1680:
    case 0x2028:
    case 0x2029:
    case 0x202F:
    case 0x205F:
    case 0x3000:
    case 0xFEFF:
      return true;
    default:
      return (c >= 0x09 && c <= 0x0D) || (c >= 0x2000 && c <= 0x200A);
  }
}

std::string_view trim(std::string_view wtf8) noexcept {
  if (!wtf8.empty() && is_graphic(wtf8.front()) && is_graphic(wtf8.back())) return wtf8;
  while (!wtf8.empty()) {
    const CodePoint first = decode(wtf8, 0);
    if (!is_js_space(first.value)) break;
    wtf8.remove_prefix(first.size);
  }
  while (!wtf8.empty()) {
    std::size_t start = wtf8.size() - 1;
    while (is_continuation(byte_at(wtf8, start))) --start;
    if (!is_js_space(decode(wtf8, start).value)) break;
    wtf8.remove_suffix(wtf8.size() - start);
  }
  return wtf8;
}

}  // namespace dsh::todo
