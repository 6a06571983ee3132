// One pass over a JSON text: grammar, strict UTF-8, depth. What is found is told to a handler.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "text/json_string_scan.hpp"
#include "text/json_text.hpp"

namespace dsh::loader::json_scan {

/// The fault of a text that nests deeper than max_json_depth.
inline constexpr const char *too_deep = "nested deeper than 10000 levels";
static_assert(max_json_depth == 10000, "as the fault's text says");

/// What the scanner tells; a base that ignores everything.
struct NoHandler {
  void begin_array() {}
  void end_array() {}
  void begin_object() {}
  void end_object() {}
  void key(std::string_view /*raw*/, bool /*escaped*/) {}     // between its quotes
  void string(std::string_view /*raw*/, bool /*escaped*/) {}  // between its quotes
  void number(std::string_view /*text*/, bool /*integer*/) {}
  void literal(char /*first*/) {}  // 't', 'f' or 'n'
};

template <typename Handler>
class Scanner {
 public:
  Scanner(std::string_view text, Handler &handler) noexcept
      : begin_(text.data()), p_(text.data()), end_(text.data() + text.size()), handler_(handler) {}

  /// The whole text is one value.
  JsonCheck run() {
    if (!values()) check_.offset = static_cast<std::size_t>(p_ - begin_);
    return check_;
  }

  /// The whole text is one object, read before up to `known`: at least one member, no space.
  JsonCheck run_rest(std::size_t known) {
    p_ += known;
    open_[0] = 1;  // that object
    depth_ = 1;
    bool done = false;
    if (!after_value(done) || (!done && !values())) check_.offset = static_cast<std::size_t>(p_ - begin_);
    return check_;
  }

  /// The text starts with a value, whose bytes, and space before it, are `size`; what follows is not
  /// looked at.
  JsonCheck run_first(std::size_t &size) {
    whole_ = false;
    const JsonCheck check = run();
    size = static_cast<std::size_t>(p_ - begin_);
    return check;
  }

 private:
  bool fail(const char *fault) noexcept {
    check_.fault = fault;
    return false;
  }

  bool at(char c) const noexcept { return p_ != end_ && *p_ == c; }

  void skip_space() noexcept {
    if (p_ == end_ || static_cast<unsigned char>(*p_) > ' ') return;
    while (p_ != end_ && (*p_ == ' ' || *p_ == '\n' || *p_ == '\t' || *p_ == '\r')) {
      check_.spaced = true;
      ++p_;
    }
  }

  // Arrays and objects that are open, innermost last: a bit each, set for an object.
  bool push(bool object) noexcept {
    if (depth_ == max_json_depth) return fail(too_deep);
    const std::uint64_t bit = std::uint64_t{1} << (depth_ % 64);
    std::uint64_t &word = open_[depth_ / 64];
    if (depth_ % 64 == 0) word = 0;
    word = object ? (word | bit) : (word & ~bit);
    ++depth_;
    return true;
  }
  bool in_object() const noexcept { return ((open_[(depth_ - 1) / 64] >> ((depth_ - 1) % 64)) & 1U) != 0; }

  bool values() {
    for (;;) {
      skip_space();
      bool opened = false;
      if (!value(opened)) return false;
      if (opened) continue;  // its first value
      bool done = false;
      if (!after_value(done)) return false;
      if (done) return true;
    }
  }

  // One value, or the start of an array or object whose first value follows (`opened`).
  bool value(bool &opened) {
    if (p_ == end_) return fail("ends where a value is expected");
    switch (*p_) {
      case '"':
        return string(false);
      case '{':
        ++p_;
        if (!push(true)) return false;
        handler_.begin_object();
        skip_space();
        if (at('}')) return true;  // after_value() closes it
        opened = true;
        return key();
      case '[':
        ++p_;
        if (!push(false)) return false;
        handler_.begin_array();
        skip_space();
        opened = !at(']');
        return true;
      case 't':
        return literal("true");
      case 'f':
        return literal("false");
      case 'n':
        return literal("null");
      default:
        return number();
    }
  }

  bool after_value(bool &done) {
    for (;;) {
      if (depth_ == 0) {
        done = true;
        if (!whole_) return true;
        skip_space();
        return p_ == end_ || fail("text after the value");
      }
      skip_space();
      if (p_ == end_) return fail(in_object() ? "ends inside an object" : "ends inside an array");
      const bool object = in_object();
      if (*p_ == ',') {
        ++p_;
        skip_space();
        return object ? key() : true;
      }
      if (*p_ != (object ? '}' : ']')) return fail(object ? "expected , or }" : "expected , or ]");
      ++p_;
      --depth_;
      if (object)
        handler_.end_object();
      else
        handler_.end_array();
    }
  }

  bool key() {
    if (!at('"')) return fail("expected a key in double quotes");
    if (!string(true)) return false;
    skip_space();
    if (!at(':')) return fail("expected :");
    ++p_;
    return true;
  }

  bool string(bool is_key) {
    const char *const start = ++p_;
    StringEnd found;
    found.at = skip_plain_start();
    if (found.at == end_ || *found.at != '"') {
      found = read_string(begin_, found.at, end_);
      p_ = found.at;
      if (found.fault != nullptr) return fail(found.fault);
    }
    p_ = found.at + 1;
    const std::string_view raw(start, static_cast<std::size_t>(found.at - start));
    if (is_key)
      handler_.key(raw, found.escaped);
    else
      handler_.string(raw, found.escaped);
    return true;
  }

  // Most strings are short, and plain: no call is made for them.
  const char *skip_plain_start() const noexcept {
    const char *p = p_;
#if defined(__SSE2__)
    for (int i = 0; i < 4 && end_ - p >= 16; ++i, p += 16)
      if (const unsigned special = special_of_16(p); special != 0) return p + std::countr_zero(special);
    if (end_ - p < 16 && end_ - begin_ >= 16) {  // the text's last bytes, without those before `p`
      if (const unsigned special = special_of_16(end_ - 16) >> (16 - (end_ - p)); special != 0)
        return p + std::countr_zero(special);
    }
#endif
    return p;
  }

  bool literal(std::string_view word) {
    if (std::string_view(p_, static_cast<std::size_t>(end_ - p_)).substr(0, word.size()) != word)
      return fail("expected a value");
    p_ += word.size();
    handler_.literal(word.front());
    return true;
  }

  bool digits() noexcept {
    const char *const start = p_;
    while (p_ != end_ && *p_ >= '0' && *p_ <= '9') ++p_;
    return p_ != start;
  }

  bool number() {
    const char *const start = p_;
    if (*p_ == '-') ++p_;
    const bool zero = at('0');
    if (!digits()) {
      p_ = start;
      return fail("expected a value");
    }
    const char *const whole = start + (*start == '-' ? 1 : 0);
    if (zero && p_ - whole > 1) {
      p_ = whole;
      return fail("number with a leading zero");
    }
    bool integer = true;
    if (at('.')) {
      integer = false;
      ++p_;
      if (!digits()) return fail("expected a digit after the point");
    }
    if (at('e') || at('E')) {
      integer = false;
      ++p_;
      if (at('+') || at('-')) ++p_;
      if (!digits()) return fail("expected a digit in the exponent");
    }
    const std::string_view text(start, static_cast<std::size_t>(p_ - start));
    // Only these can be -0, or leave the range of a double.
    if (*start == '-' || !integer || text.size() > 300) check_.lossy = check_.lossy || is_lossy(text);
    handler_.number(text, integer);
    return true;
  }

  static bool is_lossy(std::string_view number) noexcept;

  const char *const begin_;
  const char *p_;
  const char *const end_;
  Handler &handler_;
  JsonCheck check_;
  bool whole_ = true;
  std::size_t depth_ = 0;
  std::array<std::uint64_t, (max_json_depth + 63) / 64> open_;  // each word set by its first push
};

template <typename Handler>
bool Scanner<Handler>::is_lossy(std::string_view number) noexcept {
  const double value = read_double(number);
  return value - value != 0 || (value == 0 && number.front() == '-');
}

}  // namespace dsh::loader::json_scan
