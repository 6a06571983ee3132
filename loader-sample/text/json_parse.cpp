// Reading a JSON text into a DOM, and the numbers and strings in it.
#include <algorithm>
#include <boost/json.hpp>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>
#include <vector>

#include "text/error.hpp"
#include "text/json_runs.hpp"
#include "text/json_scan.hpp"
#include "text/json_text.hpp"
#include "text/utf.hpp"

namespace dsh::loader {
namespace json = boost::json;

// Beyond the range: is it beyond the large end? Counts where the first digit that isn't 0 stands.
static bool is_huge(std::string_view number) noexcept {
  if (number.front() == '-') number.remove_prefix(1);
  const std::size_t mark = number.find_first_of("eE");
  const std::string_view mantissa = number.substr(0, mark);
  long long exponent = 0;
  if (mark != std::string_view::npos) {
    std::string_view text = number.substr(mark + 1);
    const bool negative = text.front() == '-';
    if (negative || text.front() == '+') text.remove_prefix(1);
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), exponent);
    if (parsed.ec != std::errc{}) exponent = std::numeric_limits<long long>::max() / 2;
    exponent = negative ? -exponent : exponent;
  }
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t first = mantissa.find_first_of("123456789");
  if (first == std::string_view::npos) return false;
  const long long place = static_cast<long long>(point) - static_cast<long long>(first);
  return place + exponent > 0;
}

double read_double(std::string_view number) noexcept {
  double value = 0;
  const auto parsed = std::from_chars(number.data(), number.data() + number.size(), value);
  if (parsed.ec == std::errc::result_out_of_range) {
    value = is_huge(number) ? std::numeric_limits<double>::infinity() : 0.0;
    return number.front() == '-' ? -value : value;
  }
  return value;
}

namespace {

// Builds the DOM while the scanner reads.
class Builder {
 public:
  void begin_array() { counts_.push_back(0); }
  void begin_object() { counts_.push_back(0); }
  void end_array() { close(&json::value_stack::push_array); }
  void end_object() { close(&json::value_stack::push_object); }
  void key(std::string_view raw, bool escaped) { stack_.push_key(text(raw, escaped)); }
  void string(std::string_view raw, bool escaped) {
    stack_.push_string(text(raw, escaped));
    count();
  }
  void number(std::string_view text, bool integer) {
    push_number(text, integer);
    count();
  }
  void literal(char first) {
    if (first == 'n')
      stack_.push_null();
    else
      stack_.push_bool(first == 't');
    count();
  }

  json::value release() { return stack_.release(); }
  void reset() { stack_.reset(); }

 private:
  json::string_view text(std::string_view raw, bool escaped) {
    if (!escaped) return {raw.data(), raw.size()};
    unescape_json(scratch_, raw);
    return {scratch_.data(), scratch_.size()};
  }

  void push_number(std::string_view text, bool integer) {
    const char *const end = text.data() + text.size();
    if (integer && text != "-0") {
      std::int64_t small = 0;
      if (std::from_chars(text.data(), end, small).ec == std::errc{}) {
        stack_.push_int64(small);
        return;
      }
      std::uint64_t large = 0;
      if (text.front() != '-' && std::from_chars(text.data(), end, large).ec == std::errc{}) {
        stack_.push_uint64(large);
        return;
      }
    }
    stack_.push_double(read_double(text));
  }

  void close(void (json::value_stack::*push)(std::size_t)) {
    (stack_.*push)(counts_.back());
    counts_.pop_back();
    count();
  }

  void count() {
    if (!counts_.empty()) ++counts_.back();
  }

  json::value_stack stack_;
  std::vector<std::size_t> counts_;  // of the values in each open array or object
  std::string scratch_;
};

// Is a number in there that JSON.stringify would not give back? Values may lie deep: no recursion.
bool holds_lossy_number(const json::value &value) {
  std::vector<const json::value *> left = {&value};
  while (!left.empty()) {
    const json::value &one = *left.back();
    left.pop_back();
    if (const double *const number = one.if_double()) {
      if (!std::isfinite(*number) || (*number == 0 && std::signbit(*number))) return true;
    } else if (const json::array *const items = one.if_array()) {
      for (const json::value &item : *items) left.push_back(&item);
    } else if (const json::object *const members = one.if_object()) {
      for (const json::key_value_pair &member : *members) left.push_back(&member.value());
    }
  }
  return false;
}

}  // namespace

bool is_lossless_json(std::string_view text) {
  const JsonCheck check = check_json(text);
  if (!check) return false;
  return !check.lossy || !holds_lossy_number(parse_json(text));
}

json::value parse_json(std::string_view text) {
  Builder builder;
  builder.reset();
  const JsonCheck check = json_scan::Scanner(text, builder).run();
  if (!check)
    throw Error("not JSON: " + std::string(check.fault) + " at byte " + std::to_string(check.offset));
  return builder.release();
}

}  // namespace dsh::loader
