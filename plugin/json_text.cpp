#include "json_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <system_error>

#include "wtf8.hpp"

namespace dsh::todo {
namespace {

int hex_value(char c) noexcept {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// The code unit that the \uXXXX escape at `at` stands for; nothing where there is no such escape.
std::optional<char32_t> code_unit_at(std::string_view text, std::size_t at) noexcept {
  if (text.size() - at < 6 || text[at] != '\\' || text[at + 1] != 'u') return std::nullopt;
  char32_t unit = 0;
  for (std::size_t i = at + 2; i < at + 6; ++i) {
    const int digit = hex_value(text[i]);
    if (digit < 0) return std::nullopt;
    unit = unit << 4 | static_cast<char32_t>(digit);
  }
  return unit;
}

bool is_high(char32_t unit) noexcept { return unit >= 0xD800 && unit <= 0xDBFF; }
bool is_low(char32_t unit) noexcept { return unit >= 0xDC00 && unit <= 0xDFFF; }
constexpr std::string_view kHex = "0123456789abcdef";

void append_unicode_escape(std::string &out, unsigned value) {
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out.push_back(kHex[value >> shift & 0xFU]);
}

void append_control(std::string &out, char32_t c) {
  switch (c) {
    case '\b':
      out += "\\b";
      return;
    case '\f':
      out += "\\f";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      append_unicode_escape(out, static_cast<unsigned>(c));
  }
}

/// The character that `\c` stands for; NUL where there is no such escape.
char short_escape(char c) noexcept {
  switch (c) {
    case '"':
    case '\\':
    case '/':
      return c;
    case 'b':
      return '\b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    default:
      return '\0';
  }
}

/// Does JSON.stringify write this code unit as \uXXXX?
bool is_escaped_by_number(char32_t unit) noexcept {
  return is_surrogate(unit) || (unit < 0x20 && (unit < 0x08 || unit > 0x0D || unit == 0x0B));
}

bool is_lowercase(std::string_view text) noexcept {
  return std::none_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'F'; });
}

/// Appends a character as it stands inside the quotes.
void append_in_quotes(std::string &out, char32_t c) {
  if (is_surrogate(c)) {
    append_unicode_escape(out, static_cast<unsigned>(c));
  } else if (c < 0x20) {
    append_control(out, c);
  } else {
    if (c == '"' || c == '\\') out.push_back('\\');
    append_code_point(out, c);
  }
}

/// True where the three bytes at `at` spell a surrogate, which strict UTF-8 never does.
bool spells_surrogate(std::string_view wtf8, std::size_t at) noexcept {
  return static_cast<unsigned char>(wtf8[at]) == 0xED && static_cast<unsigned char>(wtf8[at + 1]) >= 0xA0;
}

/// Decimal digits and exponent of a finite, positive double: 0.d1d2d3… times 10 to the power `point`.
struct Decimal {
  std::string digits;
  int point = 0;
};

Decimal shortest_decimal(double value) {
  // "d.ddddde±xx": to_chars gives the shortest digits that read back, as JavaScript asks for.
  char buffer[32];
  const auto written = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
  const std::string_view text(buffer, static_cast<std::size_t>(written.ptr - buffer));
  const std::size_t e = text.find('e');
  Decimal decimal;
  for (const char c : text.substr(0, e)) {
    if (c != '.') decimal.digits.push_back(c);
  }
  const char *exponent = buffer + e + (text[e + 1] == '+' ? 2 : 1);
  std::from_chars(exponent, written.ptr, decimal.point);
  ++decimal.point;
  return decimal;
}

/// The magnitude of a number that from_chars found out of range: is it too large, or too near zero?
/// Its digits' place tells: out of range means hundreds of decimal places away from 1.
bool is_huge(std::string_view text) noexcept {
  const std::size_t e = text.find_first_of("eE");
  const std::string_view mantissa = text.substr(0, e);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t first = mantissa.find_first_of("123456789");
  double place = static_cast<double>(point) - static_cast<double>(first);
  if (e != std::string_view::npos) {
    std::string_view exponent = text.substr(e + 1);
    const bool negative = exponent.front() == '-';
    if (exponent.front() == '-' || exponent.front() == '+') exponent.remove_prefix(1);
    double power = 0;
    for (const char digit : exponent) power = power * 10 + (digit - '0');
    place += negative ? -power : power;
  }
  return place > 0;
}

}  // namespace

std::optional<UnicodeEscape> read_unicode_escape(std::string_view text, std::size_t at) {
  const std::optional<char32_t> unit = code_unit_at(text, at);
  if (!unit) return std::nullopt;
  UnicodeEscape escape{*unit, 6, false};
  if (is_high(*unit)) {
    const std::optional<char32_t> next = code_unit_at(text, at + 6);
    if (next && is_low(*next))
      return UnicodeEscape{0x10000 + ((*unit - 0xD800) << 10) + (*next - 0xDC00), 12, false};
  }
  escape.canonical = is_escaped_by_number(*unit) && is_lowercase(text.substr(at, escape.size));
  return escape;
}

bool is_short_escape(char c) noexcept { return short_escape(c) != '\0'; }

void append_unescaped(std::string &out, std::string_view raw) {
  std::size_t at = 0;
  for (;;) {
    const std::size_t escape = raw.find('\\', at);
    out.append(raw.substr(at, escape - at));
    if (escape == std::string_view::npos) return;
    if (const std::optional<UnicodeEscape> unicode = read_unicode_escape(raw, escape)) {
      append_code_point(out, unicode->value);
      at = escape + unicode->size;
    } else {
      out.push_back(short_escape(raw[escape + 1]));
      at = escape + 2;
    }
  }
}

void append_respelt(std::string &out, std::string_view raw) {
  std::size_t copied = 0;
  for (std::size_t at = raw.find('\\'); at != std::string_view::npos; at = raw.find('\\', at)) {
    const std::optional<UnicodeEscape> unicode = read_unicode_escape(raw, at);
    const std::size_t size = unicode ? unicode->size : 2;
    if (unicode ? !unicode->canonical : raw[at + 1] == '/') {
      out.append(raw.substr(copied, at - copied));
      append_in_quotes(out, unicode ? unicode->value : U'/');
      copied = at + size;
    }
    at += size;
  }
  out.append(raw.substr(copied));
}

void append_quoted(std::string &out, std::string_view wtf8) {
  out.push_back('"');
  std::size_t plain = 0;  // start of the run that needs no escape
  const auto flush = [&](std::size_t end) { out.append(wtf8.substr(plain, end - plain)); };
  for (std::size_t at = 0; at < wtf8.size(); ++at) {
    const auto c = static_cast<unsigned char>(wtf8[at]);
    if (c >= 0x20 && c != '"' && c != '\\' && c != 0xED) continue;
    if (c == 0xED && !spells_surrogate(wtf8, at)) continue;
    flush(at);
    const CodePoint character = decode(wtf8, at);
    append_in_quotes(out, character.value);
    at += character.size - 1;
    plain = at + 1;
  }
  flush(wtf8.size());
  out.push_back('"');
}

void append_number(std::string &out, double value) {
  if (std::isnan(value)) {
    out += "NaN";
    return;
  }
  if (value == 0) {
    out.push_back('0');
    return;
  }
  if (value < 0) out.push_back('-');
  if (std::isinf(value)) {
    out += "Infinity";
    return;
  }
  const Decimal decimal = shortest_decimal(std::fabs(value));
  const std::string_view digits = decimal.digits;
  const int point = decimal.point;
  const int count = static_cast<int>(digits.size());
  if (point > 21 || point <= -6) {
    out.push_back(digits.front());
    if (count > 1) out.append(".").append(digits.substr(1));
    out.append(point > 0 ? "e+" : "e-").append(std::to_string(std::abs(point - 1)));
  } else if (point >= count) {
    out.append(digits).append(static_cast<std::size_t>(point - count), '0');
  } else if (point > 0) {
    const auto whole = static_cast<std::size_t>(point);
    out.append(digits.substr(0, whole)).append(".").append(digits.substr(whole));
  } else {
    out.append("0.").append(static_cast<std::size_t>(-point), '0').append(digits);
  }
}

double read_number(std::string_view text) noexcept {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc::result_out_of_range) return value;
  const double magnitude = is_huge(text) ? std::numeric_limits<double>::infinity() : 0.0;
  return text.front() == '-' ? -magnitude : magnitude;
}

std::string quoted(std::string_view wtf8) {
  std::string out;
  append_quoted(out, wtf8);
  return out;
}

}  // namespace dsh::todo
