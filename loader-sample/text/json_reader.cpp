#include "text/json_reader.hpp"

#include <charconv>
#include <cmath>

#include "text/json_scan.hpp"
#include "text/json_text.hpp"

namespace dsh::loader {
namespace {

struct KeyHandler : json_scan::NoHandler {
  JsonString key_read;
  void string(std::string_view raw, bool escaped) { key_read = {raw, escaped}; }
};

}  // namespace

std::string JsonString::decode() const {
  std::string text;
  unescape_json(text, raw);
  return text;
}

bool JsonReader::value(std::string_view &span) {
  if (failed()) return false;
  skip_space();
  json_scan::NoHandler nothing;
  std::size_t size = 0;
  const JsonCheck check = json_scan::Scanner(rest(), nothing).run_first(size);
  span = {at_, size};
  at_ += check ? size : check.offset;
  return check || fail(check.fault);
}

/// Steps to where the next member or element begins; false at the end of the object or array.
bool JsonReader::open_or_comma(char open, char close) {
  if (failed()) return false;
  skip_space();
  if (at_ == end_) return fail("ends where more is expected");
  if (!opened_) {
    if (*at_ != open) return fail(open == '{' ? "not an object" : "not an array");
    ++at_;
    opened_ = true;
    skip_space();
    if (at_ == end_ || *at_ != close) return true;
    ++at_;
    return false;
  }
  if (*at_ == close) {
    ++at_;
    return false;
  }
  if (*at_ != ',') return fail(open == '{' ? "expected , or }" : "expected , or ]");
  ++at_;
  skip_space();
  return true;
}

bool JsonReader::next_member(JsonString &key) {
  if (!open_or_comma('{', '}')) return false;
  if (at_ == end_ || *at_ != '"') return fail("expected a key in double quotes");
  KeyHandler handler;
  std::size_t size = 0;
  const JsonCheck check = json_scan::Scanner(rest(), handler).run_first(size);
  at_ += check ? size : check.offset;
  if (!check) return fail(check.fault);
  key = handler.key_read;
  skip_space();
  if (at_ == end_ || *at_ != ':') return fail("expected :");
  ++at_;
  return true;
}

bool JsonReader::finish() {
  if (failed()) return false;
  skip_space();
  return at_ == end_ || fail("text after the value");
}

std::string_view json_member(std::string_view object, std::string_view key) {
  JsonReader reader(object);
  std::string_view member;
  std::string_view span;
  JsonString name;
  while (reader.next_member(name) && reader.value(span))
    if (name == key) member = span;
  return member;
}

std::optional<std::string> string_value(std::string_view span) {
  if (!is_json_string(span)) return std::nullopt;
  return JsonString{span.substr(1, span.size() - 2)}.decode();
}

std::optional<std::int64_t> integer_value(std::string_view span) {
  if (!is_json_number(span)) return std::nullopt;
  std::int64_t integer = 0;
  const char *const end = span.data() + span.size();
  const auto [stop, error] = std::from_chars(span.data(), end, integer);
  if (stop == end && error == std::errc()) {
    const bool minus_zero = integer == 0 && span.front() == '-';
    if (minus_zero || integer < -max_safe_integer || integer > max_safe_integer) return std::nullopt;
    return integer;
  }
  const double number = read_double(span);
  if (std::trunc(number) != number || !(std::fabs(number) <= static_cast<double>(max_safe_integer)) ||
      (number == 0 && std::signbit(number)))
    return std::nullopt;
  return static_cast<std::int64_t>(number);
}

}  // namespace dsh::loader
