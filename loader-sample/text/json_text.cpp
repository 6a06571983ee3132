#include "text/json_text.hpp"

#include <boost/json.hpp>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>
#include <utility>
#include <vector>

#include "text/error.hpp"
#include "text/json_scan.hpp"
#include "text/utf.hpp"

namespace dsh::loader {
namespace json = boost::json;

namespace json_scan {

// Beyond the range: is it beyond the large end? Counts where the first digit that isn't 0 stands.
static bool is_huge(std::string_view number) noexcept {
  if (number.front() == '-') {
    number.remove_prefix(1);
  }
  const std::size_t mark = number.find_first_of("eE");
  const std::string_view mantissa = number.substr(0, mark);
  long long exponent = 0;
  if (mark != std::string_view::npos) {
    std::string_view text = number.substr(mark + 1);
    const bool negative = text.front() == '-';
    if (negative || text.front() == '+') {
      text.remove_prefix(1);
    }
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), exponent);
    if (parsed.ec != std::errc{}) {
      exponent = std::numeric_limits<long long>::max() / 2;
    }
    exponent = negative ? -exponent : exponent;
  }
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t first = mantissa.find_first_of("123456789");
  if (first == std::string_view::npos) {
    return false;
  }
  const long long place = static_cast<long long>(point) - static_cast<long long>(first);
  return place + exponent > 0;
}

double to_double(std::string_view number) noexcept {
  double value = 0;
  const auto parsed = std::from_chars(number.data(), number.data() + number.size(), value);
  if (parsed.ec == std::errc::result_out_of_range) {
    value = is_huge(number) ? std::numeric_limits<double>::infinity() : 0.0;
    return number.front() == '-' ? -value : value;
  }
  return value;
}

}  // namespace json_scan

namespace {

// A UTF-16 code unit as the escape that JSON.stringify writes.
void append_escape(std::string &out, std::uint32_t unit) {
  constexpr char hex[] = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) {
    out += hex[(unit >> static_cast<unsigned>(shift)) & 0xFU];
  }
}

// Four hexadecimal digits, checked before.
std::uint32_t hex4(const char *p) noexcept {
  std::uint32_t value = 0;
  for (int i = 0; i < 4; ++i) {
    const char c = p[i];
    const int digit = c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10;
    value = value * 16 + static_cast<std::uint32_t>(digit);
  }
  return value;
}

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
    if (first == 'n') {
      stack_.push_null();
    } else {
      stack_.push_bool(first == 't');
    }
    count();
  }

  json::value release() { return stack_.release(); }
  void reset() { stack_.reset(); }

 private:
  json::string_view text(std::string_view raw, bool escaped) {
    if (!escaped) {
      return {raw.data(), raw.size()};
    }
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
    stack_.push_double(json_scan::to_double(text));
  }

  void close(void (json::value_stack::*push)(std::size_t)) {
    (stack_.*push)(counts_.back());
    counts_.pop_back();
    count();
  }

  void count() {
    if (!counts_.empty()) {
      ++counts_.back();
    }
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
      if (!std::isfinite(*number) || (*number == 0 && std::signbit(*number))) {
        return true;
      }
    } else if (const json::array *const items = one.if_array()) {
      for (const json::value &item : *items) {
        left.push_back(&item);
      }
    } else if (const json::object *const members = one.if_object()) {
      for (const json::key_value_pair &member : *members) {
        left.push_back(&member.value());
      }
    }
  }
  return false;
}

void append_integer(std::string &out, auto number) {
  char digits[24];
  const auto written = std::to_chars(digits, digits + sizeof digits, number);
  out.append(digits, written.ptr);
}

void append_scalar(std::string &out, const json::value &value) {
  switch (value.kind()) {
    case json::kind::bool_:
      out += value.get_bool() ? "true" : "false";
      break;
    case json::kind::int64:
      append_integer(out, value.get_int64());
      break;
    case json::kind::uint64:
      append_integer(out, value.get_uint64());
      break;
    case json::kind::double_:
      out += json_number(value.get_double());
      break;
    case json::kind::string:
      append_json_string(out, std::string_view(value.get_string()));
      break;
    default:
      out += "null";
  }
}

// An array or an object that is being written, and what is left of it.
struct Level {
  char close;
  bool first;
  const json::value *item;
  const json::value *items_end;
  const json::key_value_pair *member;
  const json::key_value_pair *members_end;
};

// The next value to write, after its comma and key; null: the level is closed.
const json::value *next_value(std::string &out, Level &level) {
  if (level.item == level.items_end && level.member == level.members_end) {
    out += level.close;
    return nullptr;
  }
  if (!std::exchange(level.first, false)) {
    out += ',';
  }
  if (level.close == ']') {
    return level.item++;
  }
  append_json_string(out, std::string_view(level.member->key().data(), level.member->key().size()));
  out += ':';
  return &(level.member++)->value();
}

}  // namespace

void unescape_json(std::string &out, std::string_view raw) {
  out.clear();
  while (true) {
    const std::size_t at = raw.find('\\');
    out += raw.substr(0, at);
    if (at == std::string_view::npos) {
      return;
    }
    const char kind = raw[at + 1];
    raw.remove_prefix(at + 2);
    switch (kind) {
      case 'b':
        out += '\b';
        break;
      case 'f':
        out += '\f';
        break;
      case 'n':
        out += '\n';
        break;
      case 'r':
        out += '\r';
        break;
      case 't':
        out += '\t';
        break;
      case 'u': {
        std::uint32_t value = hex4(raw.data());
        raw.remove_prefix(4);
        if (value >= 0xD800 && value < 0xDC00 && raw.size() >= 6 && raw[0] == '\\' && raw[1] == 'u') {
          const std::uint32_t low = hex4(raw.data() + 2);
          if (low >= 0xDC00 && low < 0xE000) {
            value = 0x10000 + ((value - 0xD800) << 10U) + (low - 0xDC00);
            raw.remove_prefix(6);
          }
        }
        append_code_point(out, value);
        break;
      }
      default:
        out += kind;
    }
  }
}

JsonCheck check_json(std::string_view text) noexcept {
  json_scan::NoHandler nothing;
  return json_scan::Scanner(text, nothing).run();
}

bool is_lossless_json(std::string_view text) {
  const JsonCheck check = check_json(text);
  if (!check) {
    return false;
  }
  return !check.lossy || !holds_lossy_number(parse_json(text));
}

std::string compact_json(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  bool inside = false;  // a string
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (inside && c == '\\' && i + 1 < text.size()) {
      out += c;
      out += text[++i];
      continue;
    }
    if (c == '"') {
      inside = !inside;
    }
    if (inside || (c != ' ' && c != '\n' && c != '\t' && c != '\r')) {
      out += c;
    }
  }
  return out;
}

json::value parse_json(std::string_view text) {
  Builder builder;
  builder.reset();
  const JsonCheck check = json_scan::Scanner(text, builder).run();
  if (!check) {
    throw Error("not JSON: " + std::string(check.fault) + " at byte " + std::to_string(check.offset));
  }
  return builder.release();
}

void append_json_string(std::string &out, std::string_view text) {
  out += '"';
  const char *p = text.data();
  const char *const end = p + text.size();
  while (true) {
    const char *const stop = json_scan::skip_plain(p, end);
    out.append(p, stop);
    if (stop == end) {
      break;
    }
    p = stop + 1;
    const auto c = static_cast<unsigned char>(*stop);
    if (c >= 0x80) {
      const CodePoint point = decode({stop, static_cast<std::size_t>(end - stop)});
      p = stop + point.size;
      if (!is_surrogate(point.value)) {
        append_code_point(out, point.value);
        continue;
      }
      // Two halves that were joined byte by byte are one character to JSON.
      const CodePoint next = p == end ? CodePoint{} : decode({p, static_cast<std::size_t>(end - p)});
      if (point.value < 0xDC00 && next.value >= 0xDC00 && next.value < 0xE000) {
        append_code_point(out, 0x10000 + ((point.value - 0xD800) << 10U) + (next.value - 0xDC00));
        p += next.size;
      } else {
        append_escape(out, point.value);
      }
      continue;
    }
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\f':
        out += "\\f";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        append_escape(out, c);
    }
  }
  out += '"';
}

std::string json_string(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 2);
  append_json_string(out, text);
  return out;
}

std::string strict_json_text(std::string text) {
  // The three bytes of a surrogate begin with this one, and few other texts hold it.
  constexpr char lead = '\xED';
  std::string out;
  std::size_t done = 0;
  for (std::size_t at = text.find(lead); at != std::string::npos; at = text.find(lead, at + 1)) {
    const CodePoint point = decode(std::string_view(text).substr(at));
    if (!is_surrogate(point.value)) {
      continue;
    }
    out.append(text, done, at - done);
    done = at + point.size;
    const std::size_t other = out.find_last_not_of('\\');
    const std::size_t backslashes = out.size() - (other == std::string::npos ? 0 : other + 1);
    if (backslashes % 2 == 0) {
      append_escape(out, point.value);
    } else {
      append_code_point(out, 0xFFFD);  // an escape that there is not, and must not become one
    }
  }
  return done == 0 ? std::move(text) : out.append(text, done);
}

std::string json_number(double number) {
  if (!std::isfinite(number)) {
    return "null";
  }
  if (number == 0) {
    return "0";
  }
  char shortest[40];
  const auto written =
      std::to_chars(shortest, shortest + sizeof shortest, std::fabs(number), std::chars_format::scientific);
  const std::string_view text(shortest, static_cast<std::size_t>(written.ptr - shortest));
  const std::size_t mark = text.find('e');
  int exponent = 0;
  std::from_chars(text.data() + mark + (text[mark + 1] == '+' ? 2 : 1), written.ptr, exponent);
  std::string digits(1, text[0]);
  if (mark > 2) {
    digits += text.substr(2, mark - 2);
  }
  // Number::toString: k digits, the decimal point after the n-th.
  const int k = static_cast<int>(digits.size());
  const int n = exponent + 1;
  std::string out = number < 0 ? "-" : "";
  if (n >= k && n <= 21) {
    return out + digits + std::string(static_cast<std::size_t>(n - k), '0');
  }
  if (n > 0 && n <= 21) {
    return out + digits.substr(0, static_cast<std::size_t>(n)) + "." +
           digits.substr(static_cast<std::size_t>(n));
  }
  if (n > -6 && n <= 0) {
    return out + "0." + std::string(static_cast<std::size_t>(-n), '0') + digits;
  }
  out += digits.substr(0, 1);
  if (k > 1) {
    out += "." + digits.substr(1);
  }
  return out + "e" + (exponent < 0 ? "-" : "+") + std::to_string(std::abs(exponent));
}

// Values may lie deep: open arrays and objects are kept in a list, not on the stack.
void append_json(std::string &out, const json::value &value) {
  std::vector<Level> levels;
  const json::value *current = &value;
  while (current != nullptr) {
    if (const json::array *const items = current->if_array()) {
      out += '[';
      levels.push_back({']', true, items->data(), items->data() + items->size(), nullptr, nullptr});
    } else if (const json::object *const members = current->if_object()) {
      out += '{';
      levels.push_back({'}', true, nullptr, nullptr, members->begin(), members->end()});
    } else {
      append_scalar(out, *current);
    }
    current = nullptr;
    while (current == nullptr && !levels.empty()) {
      current = next_value(out, levels.back());
      if (current == nullptr) {
        levels.pop_back();
      }
    }
  }
}

std::string to_json(const json::value &value) {
  std::string out;
  append_json(out, value);
  return out;
}

}  // namespace dsh::loader
