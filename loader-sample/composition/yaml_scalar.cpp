#include "composition/yaml_scalar.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "text/json_text.hpp"

namespace dsh::loader {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

int digit_value(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

/// Takes a leading sign off `text`.
bool take_minus(std::string_view &text) {
  const bool minus = text.starts_with('-');
  if (minus || text.starts_with('+')) text.remove_prefix(1);
  return minus;
}

/// The number that `digits` spell in base 2^bits, rounded once.
std::optional<double> power_of_two_digits(std::string_view digits, unsigned bits) {
  std::string binary;
  for (const char c : digits) {
    const int value = digit_value(c);
    if (value >= 1 << bits) return std::nullopt;
    for (unsigned bit = bits; bit-- > 0;) binary += static_cast<char>('0' + ((value >> bit) & 1));
  }
  if (binary.empty()) return std::nullopt;
  binary.insert(0, (4 - binary.size() % 4) % 4, '0');
  std::string hex;
  for (std::size_t i = 0; i < binary.size(); i += 4)
    hex += "0123456789abcdef"[(binary[i] - '0') * 8 + (binary[i + 1] - '0') * 4 + (binary[i + 2] - '0') * 2 +
                              (binary[i + 3] - '0')];
  double result = 0;
  const auto [end, error] =
      std::from_chars(hex.data(), hex.data() + hex.size(), result, std::chars_format::hex);
  return error == std::errc{} ? std::optional(result) : std::nullopt;
}

/// What is too small is 0, what is too large nothing.
std::optional<double> decimal(std::string_view text) {
  const double number = read_double(text);
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

/// Does `text` read [0-9]+(.[0-9]*)?(e[-+]?[0-9]+)? or .[0-9]+(e[-+]?[0-9]+)?
bool looks_decimal(std::string_view text) {
  const auto digits = [&text] {
    const auto count = std::min(text.find_first_not_of("0123456789"), text.size());
    text.remove_prefix(count);
    return count;
  };
  const auto whole = digits();
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (digits() == 0 && whole == 0) return false;
  } else if (whole == 0) {
    return false;
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    take_minus(text);
    if (digits() == 0) return false;
  }
  return text.empty();
}

}  // namespace

bool is_yaml_null(std::string_view text) {
  return text == "~" || text == "null" || text == "Null" || text == "NULL";
}

std::optional<bool> yaml_bool(std::string_view text) {
  if (text == "true" || text == "True" || text == "TRUE") return true;
  if (text == "false" || text == "False" || text == "FALSE") return false;
  return std::nullopt;
}

std::optional<double> yaml_int(std::string_view text) {
  const bool minus = take_minus(text);
  std::optional<double> value;
  if (text.starts_with("0b"))
    value = power_of_two_digits(text.substr(2), 1);
  else if (text.starts_with("0o"))
    value = power_of_two_digits(text.substr(2), 3);
  else if (text.starts_with("0x"))
    value = power_of_two_digits(text.substr(2), 4);
  else if (!text.empty() && std::all_of(text.begin(), text.end(), is_digit))
    value = decimal(text);
  return value && minus ? -*value : value;
}

std::optional<double> yaml_float(std::string_view text) {
  if (text == ".nan" || text == ".NaN" || text == ".NAN") return std::numeric_limits<double>::quiet_NaN();
  // No sign before a bare point: -.5 is a text, as in the reference's reader.
  const bool bare_point = text.starts_with('.');
  const bool minus = take_minus(text);
  std::optional<double> value;
  if (text == ".inf" || text == ".Inf" || text == ".INF")
    value = std::numeric_limits<double>::infinity();
  else if ((bare_point || !text.starts_with('.')) && looks_decimal(text))
    value = decimal(text);
  return value && minus ? -*value : value;
}

}  // namespace dsh::loader
