#include "json_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <system_error>
#include <utility>

#include "wtf8.hpp"

namespace dsh::todo {
namespace {

constexpr std::uint8_t no_hex = 0xFF;

/// The value of each hexadecimal digit, by its character.
constexpr auto hex_values = [] {
  std::array<std::uint8_t, 256> values{};
  values.fill(no_hex);
  for (std::uint8_t i = 0; i < 10; ++i) values['0' + i] = i;
  for (std::uint8_t i = 10; i < 16; ++i) values['a' + i - 10] = values['A' + i - 10] = i;
  return values;
}();

/// The code unit that the \uXXXX escape at `at` stands for; nothing where there is no such escape.
std::optional<char32_t> code_unit_at(std::string_view text, std::size_t at) noexcept {
  if (text.size() - at < 6 || text[at] != '\\' || text[at + 1] != 'u') return std::nullopt;
  char32_t unit = 0;
  unsigned all = 0;
  for (std::size_t i = at + 2; i < at + 6; ++i) {
    const std::uint8_t digit = hex_values[static_cast<unsigned char>(text[i])];
    all |= digit;
    unit = unit << 4 | digit;
  }
  return all < 16 ? std::optional(unit) : std::nullopt;
}

bool is_high(char32_t unit) noexcept { return unit >= 0xD800 && unit <= 0xDBFF; }
bool is_low(char32_t unit) noexcept { return unit >= 0xDC00 && unit <= 0xDFFF; }

char *put(char *at, std::string_view text) noexcept {
  std::memcpy(at, text.data(), text.size());
  return at + text.size();
}

char *put_unicode_escape(char *at, char32_t unit) noexcept {
  constexpr std::string_view hex_digits = "0123456789abcdef";
  at = put(at, "\\u");
  for (int shift = 12; shift >= 0; shift -= 4) *at++ = hex_digits[unit >> shift & 0xFU];
  return at;
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

/// The bytes that put_in_quotes writes at most.
constexpr std::size_t longest_in_quotes = 6;

/// Writes a character as it stands inside the quotes to `at`. Gives the end of what it wrote.
char *put_in_quotes(char *at, char32_t c) noexcept {
  if (is_escaped_by_number(c)) return put_unicode_escape(at, c);
  switch (c) {
    case '\b':
      return put(at, "\\b");
    case '\f':
      return put(at, "\\f");
    case '\n':
      return put(at, "\\n");
    case '\r':
      return put(at, "\\r");
    case '\t':
      return put(at, "\\t");
    case '"':
      return put(at, "\\\"");
    case '\\':
      return put(at, "\\\\");
    default:
      return put_code_point(at, c);
  }
}

/// The size of the escape that `raw` starts with; 0 where none stands there, or it is none of space.
std::size_t leading_space(std::string_view raw) noexcept {
  if (raw.size() < 2 || raw.front() != '\\') return 0;
  if (raw[1] == 'u') return is_js_space(code_unit_at(raw, 0).value_or(0)) ? 6 : 0;
  return is_js_space(static_cast<unsigned char>(short_escape(raw[1]))) ? 2 : 0;
}

/// The same at the end of `raw`.
std::size_t trailing_space(std::string_view raw) noexcept {
  const auto ends_in = [&](std::size_t size) {
    if (raw.size() < size || raw[raw.size() - size] != '\\') return false;
    const std::size_t at = raw.size() - size;
    // After an odd number of backslashes the one at `at` is escaped itself.
    const std::size_t other = raw.find_last_not_of('\\', at);
    const std::size_t backslashes = at - (other == std::string_view::npos ? 0 : other + 1);
    return backslashes % 2 == 0 && leading_space(raw.substr(at)) == size;
  };
  return ends_in(2) ? 2 : ends_in(6) ? 6 : 0;
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
  for (const char c : text.substr(0, e))
    if (c != '.') decimal.digits.push_back(c);
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

UnicodeEscape read_unicode_escape(std::string_view text, std::size_t at) noexcept {
  const std::optional<char32_t> unit = code_unit_at(text, at);
  if (!unit) return {};
  if (is_high(*unit)) {
    const std::optional<char32_t> next = code_unit_at(text, at + 6);
    if (next && is_low(*next)) return {0x10000 + ((*unit - 0xD800) << 10) + (*next - 0xDC00), 12, false};
  }
  return {*unit, 6, is_escaped_by_number(*unit) && is_lowercase(text.substr(at, 6))};
}

std::string_view trim_escaped(std::string_view raw) noexcept {
  for (;;) {
    raw = trim(raw);
    if (const std::size_t leading = leading_space(raw); leading != 0)
      raw.remove_prefix(leading);
    else if (const std::size_t trailing = trailing_space(raw); trailing != 0)
      raw.remove_suffix(trailing);
    else
      return raw;
  }
}

bool RespeltRuns::next(std::string_view &run) noexcept {
  if (character_size_ != 0) {
    run = {character_.data(), std::exchange(character_size_, 0)};
    return true;
  }
  for (std::size_t at = rest_.find('\\'); at != std::string_view::npos; at = rest_.find('\\', at)) {
    const std::size_t begin = at;
    char32_t character = U'/';
    if (rest_[at + 1] != 'u') {
      at += 2;
      if (rest_[at - 1] != '/') continue;
    } else {
      const UnicodeEscape escape = read_unicode_escape(rest_, at);
      at += escape.size;
      if (escape.canonical) continue;
      character = escape.value;
    }
    run = rest_.substr(0, begin);
    rest_.remove_prefix(at);
    character_size_ =
        static_cast<std::size_t>(put_in_quotes(character_.data(), character) - character_.data());
    return true;
  }
  run = std::exchange(rest_, {});
  return !run.empty();
}

char *put_respelt(char *out, std::string_view raw) noexcept {
  RespeltRuns runs(raw);
  for (std::string_view run; runs.next(run);) out = put(out, run);
  return out;
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
    std::array<char, longest_in_quotes> spelt;
    out.append(spelt.data(), put_in_quotes(spelt.data(), character.value));
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
