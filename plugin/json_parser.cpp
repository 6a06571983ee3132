#include "json_parser.hpp"

#include <algorithm>
#include <boost/system/errc.hpp>
#include <utility>

#include "json_text.hpp"
#include "json_value.hpp"
#include "wtf8.hpp"

namespace dsh::todo {
namespace json = boost::json;
namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

/// Bytes. What is respelt goes to the parser in pieces of this size: with each it takes up again all that is
/// nested where it is.
constexpr std::size_t large_piece = std::size_t{64} << 10;

// Respells the two things of JSON that Boost.JSON refuses: the escape of a lone surrogate becomes the
// surrogate's three bytes (which it lets pass), and an exponent that overflows an int becomes one that
// is just as far beyond every double. A text without them is passed on as it is.
class Respelling {
 public:
  Respelling(std::string_view text, const ParserInput::Take &take) : text_(text), take_(take) {}

  void run() {
    std::size_t at = 0;
    while (at < text_.size() && wanted_) at = text_[at] == '"' ? past_string(at + 1) : past_other(at);
    pass_on();
    if (wanted_) take_(text_.substr(copied_), false);
  }

 private:
  /// From the first character of a string to what follows its closing quote.
  std::size_t past_string(std::size_t at) {
    while (at < text_.size() && text_[at] != '"') at = text_[at] == '\\' ? past_escape(at) : at + 1;
    return at + 1;
  }

  std::size_t past_escape(std::size_t at) {
    const UnicodeEscape escape = read_unicode_escape(text_, at);
    if (!escape) return at + 2;
    if (is_surrogate(escape.value)) {
      copy_until(at);
      append_code_point(respelt_, escape.value);
      copied_ = at + escape.size;
    }
    return at + escape.size;
  }

  std::size_t past_other(std::size_t at) {
    if ((text_[at] != 'e' && text_[at] != 'E') || at == 0 || !is_digit(text_[at - 1])) return at + 1;
    std::size_t digits = at + 1;
    if (digits < text_.size() && (text_[digits] == '+' || text_[digits] == '-')) ++digits;
    while (digits < text_.size() && text_[digits] == '0') ++digits;
    std::size_t end = digits;
    while (end < text_.size() && is_digit(text_[end])) ++end;
    constexpr std::string_view far = "999999999";
    if (end - digits > far.size()) {
      copy_until(digits);
      respelt_.append(far);
      copied_ = end;
    }
    return end;
  }

  void copy_until(std::size_t at) {
    const std::string_view part = text_.substr(copied_, at - copied_);
    if (respelt_.size() + part.size() >= large_piece) {
      pass_on();
      wanted_ = wanted_ && take_(part, true);
    } else {
      respelt_ += part;
    }
  }

  void pass_on() {
    if (!respelt_.empty()) wanted_ = wanted_ && take_(respelt_, true);
    respelt_.clear();
  }

  std::string_view text_;
  const ParserInput::Take &take_;
  std::string respelt_;  ///< that is to be passed on
  std::size_t copied_ = 0;
  bool wanted_ = true;
};

/// How deep a JSON text nests.
std::size_t depth_of(std::string_view text) noexcept {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string) {
      if (c == '\\') ++at;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return deepest;
}

}  // namespace

bool ValueBuilder::on_number(Text rest) {
  number_.append(rest.data(), rest.size());
  stack.push_double(read_number(number_));
  number_.clear();
  return true;
}

ParserInput::ParserInput(std::string_view text, std::string_view what) : text_(text), what_(what) {
  if (const std::size_t bad = find_invalid_utf8(text); bad != std::string_view::npos)
    throw Refusal(std::string(what) + " is not UTF-8 (byte " + std::to_string(bad) + ")");
}

void ParserInput::feed(const Take &take) const { Respelling(text_, take).run(); }

json::parse_options ParserInput::options() noexcept {
  json::parse_options options;
  options.max_depth = max_depth;
  options.allow_invalid_utf8 = true;  // the text's own was checked; what is left are lone surrogates
  return options;
}

bool ParserInput::stop(json::error_code &error) noexcept {
  error = make_error_code(boost::system::errc::operation_canceled);
  return false;
}

void ParserInput::explain(const json::error_code &error) const {
  if (error == boost::system::errc::operation_canceled) return;
  if (error == json::error::too_deep)
    throw Refusal(std::string(what_) + " nests " + std::to_string(depth_of(text_)) +
                  " levels deep, the bound is " + std::to_string(max_depth));
  throw NotJson(std::string(what_) + " is not JSON");
}

}  // namespace dsh::todo
