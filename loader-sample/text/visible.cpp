#include "text/visible.hpp"

#include <array>
#include <charconv>

#include "text/utf.hpp"

namespace dsh::loader {
namespace {

constexpr char32_t next_line = 0x85;
constexpr char32_t line_separator = 0x2028;
constexpr char32_t paragraph_separator = 0x2029;
constexpr char32_t delete_character = 0x7F;

bool is_line_break(char32_t c) {
  return c == '\n' || c == '\r' || c == next_line || c == line_separator || c == paragraph_separator;
}

bool is_c0(char32_t c) { return c < 0x20 || c == delete_character; }

/// Characters that steer a terminal, or the order and the look of their neighbours.
bool is_steering(char32_t c) {
  return (c >= 0x80 && c < 0xA0) || c == 0x061C || c == 0x200E || c == 0x200F ||
         (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x206F) || (c >= 0xFFF9 && c <= 0xFFFB);
}

void append_hex(std::string &out, char32_t c, std::string_view before, std::string_view after,
                int digits = 0) {
  std::array<char, 8> hex{};
  const auto [end, error] = std::to_chars(hex.data(), hex.data() + hex.size(), static_cast<unsigned>(c), 16);
  out += before;
  for (auto size = end - hex.data(); size < digits; ++size) out += '0';
  out.append(hex.data(), end);
  out += after;
}

void append_c0(std::string &out, char32_t c, Charset charset) {
  if (charset == Charset::unicode) {
    append_code_point(out, c == delete_character ? 0x2421 : 0x2400 + c);
  } else if (c == '\t') {
    out += "\\t";
  } else {
    append_hex(out, c, "\\x", "", 2);
  }
}

void append_line_break(std::string &out, char32_t c, Charset charset) {
  if (charset == Charset::unicode) {
    append_code_point(out, 0x21B5);
  } else {
    out += c == '\r' ? "\\r" : "\\n";
  }
}

}  // namespace

std::string visible(std::string_view text, Charset charset) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    if (text.starts_with("\r\n")) text.remove_prefix(1);  // one break, one mark
    const CodePoint point = first_code_point(text);
    const char32_t c = point.value;
    if (!point.valid || is_surrogate(c)) {
      out += charset == Charset::ascii ? "?" : "\uFFFD";
    } else if (is_line_break(c)) {
      append_line_break(out, c, charset);
    } else if (is_c0(c)) {
      append_c0(out, c, charset);
    } else if (is_steering(c) || (charset == Charset::ascii && c >= 0x80)) {
      append_hex(out, c, "\\u{", "}");
    } else {
      out.append(text.substr(0, point.size));
    }
    text.remove_prefix(point.size);
  }
  return out;
}

}  // namespace dsh::loader
