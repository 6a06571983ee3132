#include "text/utf.hpp"

#include <cstdint>

namespace dsh::loader {
namespace {

constexpr CodePoint stray_byte{replacement_character, 1, false};

/// The number of bytes that `lead` announces, 0 where it begins nothing.
std::size_t sequence_size(std::uint8_t lead) {
  if (lead < 0x80) return 1;
  if (lead < 0xC2) return 0;  // a continuation byte, or an overlong form
  if (lead < 0xE0) return 2;
  if (lead < 0xF0) return 3;
  return lead < 0xF5 ? 4 : 0;
}

}  // namespace

CodePoint first_code_point(std::string_view text) {
  const auto lead = static_cast<std::uint8_t>(text.front());
  const std::size_t size = sequence_size(lead);
  if (size == 1) return {lead, 1, true};
  if (size == 0 || text.size() < size) return stray_byte;
  char32_t value = lead & (0xFFU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    const auto byte = static_cast<std::uint8_t>(text[i]);
    if ((byte & 0xC0U) != 0x80U) return stray_byte;
    value = (value << 6U) | (byte & 0x3FU);
  }
  const bool overlong = (size == 3 && value < 0x800) || (size == 4 && value < 0x10000);
  if (overlong || value > 0x10FFFF) return stray_byte;
  return {value, size, true};
}

void append_code_point(std::string &out, char32_t value) {
  const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80U | ((value >> shift) & 0x3FU)); };
  if (value < 0x80) {
    out += static_cast<char>(value);
  } else if (value < 0x800) {
    out += static_cast<char>(0xC0U | (value >> 6U));
    tail(0);
  } else if (value < 0x10000) {
    out += static_cast<char>(0xE0U | (value >> 12U));
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xF0U | (value >> 18U));
    tail(12);
    tail(6);
    tail(0);
  }
}

std::string to_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    if (point.valid && !is_surrogate(point.value)) {
      out.append(text.substr(0, point.size));
    } else {
      append_code_point(out, replacement_character);
    }
    text.remove_prefix(point.size);
  }
  return out;
}

}  // namespace dsh::loader
