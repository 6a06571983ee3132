// Writing JSON as JSON.stringify does.
#include <boost/json.hpp>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include "text/json_string_scan.hpp"
#include "text/json_text.hpp"
#include "text/utf.hpp"

namespace dsh::loader {
namespace json = boost::json;

namespace {

// A UTF-16 code unit as the escape that JSON.stringify writes.
void append_escape(std::string &out, std::uint32_t unit) {
  constexpr char hex[] = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += hex[(unit >> static_cast<unsigned>(shift)) & 0xFU];
}

// Appends the character at `p`, which is none of ASCII, as JSON has it; returns where the next one begins.
const char *append_beyond_ascii(std::string &out, const char *p, const char *end) {
  const CodePoint point = decode({p, static_cast<std::size_t>(end - p)});
  p += point.size;
  if (!is_surrogate(point.value)) {
    append_code_point(out, point.value);
    return p;
  }
  const CodePoint next = p == end ? CodePoint{} : decode({p, static_cast<std::size_t>(end - p)});
  if (point.value < 0xDC00 && next.value >= 0xDC00 && next.value < 0xE000) {
    // Two halves that were joined byte by byte are one character to JSON.
    append_code_point(out, 0x10000 + ((point.value - 0xD800) << 10U) + (next.value - 0xDC00));
    return p + next.size;
  }
  append_escape(out, point.value);
  return p;
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
      out += std::to_string(value.get_uint64());
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
  if (!std::exchange(level.first, false)) out += ',';
  if (level.close == ']') return level.item++;
  append_json_string(out, std::string_view(level.member->key().data(), level.member->key().size()));
  out += ':';
  return &(level.member++)->value();
}

}  // namespace

void append_json_string(std::string &out, std::string_view text) {
  out += '"';
  const char *p = text.data();
  const char *const end = p + text.size();
  while (true) {
    const char *const stop = json_scan::skip_plain(p, end);
    out.append(p, stop);
    if (stop == end) break;
    p = stop + 1;
    const auto c = static_cast<unsigned char>(*stop);
    if (c >= 0x80) {
      p = append_beyond_ascii(out, stop, end);
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
    if (!is_surrogate(point.value)) continue;
    out.append(text, done, at - done);
    done = at + point.size;
    const std::size_t other = out.find_last_not_of('\\');
    const std::size_t backslashes = out.size() - (other == std::string::npos ? 0 : other + 1);
    if (backslashes % 2 == 0)
      append_escape(out, point.value);
    else
      append_code_point(out, 0xFFFD);  // an escape that there is not, and must not become one
  }
  return done == 0 ? std::move(text) : out.append(text, done);
}

void append_integer(std::string &out, std::int64_t number) {
  char digits[24];
  const auto written = std::to_chars(digits, digits + sizeof digits, number);
  out.append(digits, written.ptr);
}

std::string json_number(double number) {
  if (!std::isfinite(number)) return "null";
  if (number == 0) return "0";
  char shortest[40];
  const auto written =
      std::to_chars(shortest, shortest + sizeof shortest, std::fabs(number), std::chars_format::scientific);
  const std::string_view text(shortest, static_cast<std::size_t>(written.ptr - shortest));
  const std::size_t mark = text.find('e');
  int exponent = 0;
  std::from_chars(text.data() + mark + (text[mark + 1] == '+' ? 2 : 1), written.ptr, exponent);
  std::string digits(1, text[0]);
  if (mark > 2) digits += text.substr(2, mark - 2);
  // Number::toString: k digits, the decimal point after the n-th.
  const int k = static_cast<int>(digits.size());
  const int n = exponent + 1;
  std::string out = number < 0 ? "-" : "";
  if (n >= k && n <= 21) return out + digits + std::string(static_cast<std::size_t>(n - k), '0');
  if (n > 0 && n <= 21)
    return out + digits.substr(0, static_cast<std::size_t>(n)) + "." +
           digits.substr(static_cast<std::size_t>(n));
  if (n > -6 && n <= 0) return out + "0." + std::string(static_cast<std::size_t>(-n), '0') + digits;
  out += digits.substr(0, 1);
  if (k > 1) out += "." + digits.substr(1);
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
      if (current == nullptr) levels.pop_back();
    }
  }
}

std::string to_json(const json::value &value) {
  std::string out;
  append_json(out, value);
  return out;
}

}  // namespace dsh::loader
