#include "json_value.hpp"

#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value_stack.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "json_text.hpp"
#include "wtf8.hpp"

namespace dsh::todo {
namespace json = boost::json;
namespace {

// Builds the value from what the parser meets. Members are called as Boost.JSON's handlers are.
class Builder {
 public:
  static constexpr std::size_t max_object_size = json::object::max_size();
  static constexpr std::size_t max_array_size = json::array::max_size();
  static constexpr std::size_t max_key_size = json::string::max_size();
  static constexpr std::size_t max_string_size = json::string::max_size();

  json::value_stack stack;

  static bool on_document_begin(json::error_code &) { return true; }
  static bool on_document_end(json::error_code &) { return true; }
  static bool on_object_begin(json::error_code &) { return true; }
  static bool on_array_begin(json::error_code &) { return true; }
  static bool on_comment_part(json::string_view, json::error_code &) { return true; }
  static bool on_comment(json::string_view, json::error_code &) { return true; }

  bool on_object_end(std::size_t count, json::error_code &) {
    stack.push_object(count);
    return true;
  }
  bool on_array_end(std::size_t count, json::error_code &) {
    stack.push_array(count);
    return true;
  }
  bool on_key_part(json::string_view part, std::size_t, json::error_code &) {
    stack.push_chars(part);
    return true;
  }
  bool on_key(json::string_view rest, std::size_t, json::error_code &) {
    stack.push_key(rest);
    return true;
  }
  bool on_string_part(json::string_view part, std::size_t, json::error_code &) {
    stack.push_chars(part);
    return true;
  }
  bool on_string(json::string_view rest, std::size_t, json::error_code &) {
    stack.push_string(rest);
    return true;
  }
  bool on_number_part(json::string_view part, json::error_code &) {
    number_.append(part.data(), part.size());
    return true;
  }
  bool on_int64(std::int64_t, json::string_view rest, json::error_code &) { return on_number(rest); }
  bool on_uint64(std::uint64_t, json::string_view rest, json::error_code &) { return on_number(rest); }
  bool on_double(double, json::string_view rest, json::error_code &) { return on_number(rest); }
  bool on_bool(bool value, json::error_code &) {
    stack.push_bool(value);
    return true;
  }
  bool on_null(json::error_code &) {
    stack.push_null();
    return true;
  }

 private:
  /// The parser's own value is set aside: it is rounded otherwise than JavaScript's.
  bool on_number(json::string_view rest) {
    number_.append(rest.data(), rest.size());
    stack.push_double(read_number(number_));
    number_.clear();
    return true;
  }

  std::string number_;
};

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }

// Respells the two things of JSON that Boost.JSON refuses: the escape of a lone surrogate becomes the
// surrogate's three bytes (which it lets pass), and an exponent that overflows an int becomes one that
// is just as far beyond every double. A text without them is used as it is.
class Respelling {
 public:
  explicit Respelling(std::string_view text) : text_(text) {
    std::size_t at = 0;
    while (at < text_.size()) at = text_[at] == '"' ? past_string(at + 1) : past_other(at);
    if (!respelt_.empty()) respelt_.append(text_.substr(copied_));
  }

  std::string_view text() const noexcept { return respelt_.empty() ? text_ : respelt_; }

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

  void copy_until(std::size_t at) { respelt_.append(text_.substr(copied_, at - copied_)); }

  std::string_view text_;
  std::string respelt_;
  std::size_t copied_ = 0;
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

json::value parse(std::string_view text, std::string_view what, json::storage_ptr memory) {
  if (const std::size_t bad = find_invalid_utf8(text); bad != std::string_view::npos)
    throw Refusal(std::string(what) + " is not UTF-8 (byte " + std::to_string(bad) + ")");
  const Respelling respelling(text);
  const std::string_view spelt = respelling.text();
  json::parse_options options;
  options.max_depth = max_depth;
  options.allow_invalid_utf8 = true;  // the text's own was checked; what is left are lone surrogates
  json::basic_parser<Builder> parser(options);
  parser.handler().stack.reset(std::move(memory));
  json::error_code error;
  const std::size_t read = parser.write_some(false, spelt.data(), spelt.size(), error);
  if (error == json::error::too_deep)
    throw Refusal(std::string(what) + " nests " + std::to_string(depth_of(text)) +
                  " levels deep, the bound is " + std::to_string(max_depth));
  if (error || read != spelt.size()) throw NotJson(std::string(what) + " is not JSON");
  return parser.handler().stack.release();
}

/// The array index that `key` spells; nothing for any other name.
std::optional<std::uint32_t> array_index(std::string_view key) noexcept {
  if (key.empty() || key.size() > 10 || (key.front() == '0' && key.size() > 1)) return std::nullopt;
  std::uint32_t index = 0;
  const auto read = std::from_chars(key.data(), key.data() + key.size(), index);
  if (read.ec != std::errc() || read.ptr != key.data() + key.size() || index == UINT32_MAX)
    return std::nullopt;
  return index;
}

std::string_view key_of(const json::key_value_pair &pair) noexcept {
  return {pair.key().data(), pair.key().size()};
}

void append_scalar(std::string &out, const json::value &value) {
  if (value.is_null())
    out += "null";
  else if (value.is_bool())
    out += value.get_bool() ? "true" : "false";
  else if (value.is_string())
    append_quoted(out, text_of(value.get_string()));
  else if (std::isfinite(value.get_double()))
    append_number(out, value.get_double());
  else
    out += "null";  // JSON.stringify has no other spelling for the infinities
}

// An array or object that is being written.
class OpenContainer {
 public:
  explicit OpenContainer(const json::value &value) : elements_(value.if_array()) {
    if (elements_ == nullptr) members_ = own_members(value.get_object());
  }

  bool done() const noexcept { return next_ == (elements_ != nullptr ? elements_->size() : members_.size()); }

  /// The next value to write; its comma and its key are written here.
  const json::value &next(std::string &out) {
    if (next_ > 0) out.push_back(',');
    const std::size_t at = next_++;
    if (elements_ != nullptr) return (*elements_)[at];
    append_quoted(out, key_of(*members_[at]));
    out.push_back(':');
    return members_[at]->value();
  }

  char closing_bracket() const noexcept { return elements_ != nullptr ? ']' : '}'; }

 private:
  const json::array *elements_;  // null in an object
  std::vector<const json::key_value_pair *> members_;
  std::size_t next_ = 0;
};

}  // namespace

Document::Document(std::string_view text, std::string_view what)
    : root_(parse(text, what, json::storage_ptr(&memory_))) {}

const json::value *member(const json::value &value, std::string_view key) noexcept {
  const json::object *object = value.if_object();
  return object == nullptr ? nullptr : object->if_contains({key.data(), key.size()});
}

std::string_view text_of(const json::string &string) noexcept { return {string.data(), string.size()}; }

std::vector<const json::key_value_pair *> own_members(const json::object &object) {
  const auto index_of = [](const json::key_value_pair *pair) { return array_index(key_of(*pair)); };
  std::vector<const json::key_value_pair *> members;
  members.reserve(object.size());
  for (const json::key_value_pair &pair : object)
    if (index_of(&pair)) members.push_back(&pair);
  std::sort(members.begin(), members.end(),
            [&](const auto *left, const auto *right) { return *index_of(left) < *index_of(right); });
  for (const json::key_value_pair &pair : object)
    if (!index_of(&pair)) members.push_back(&pair);
  return members;
}

// No recursion, here and in append_json: a level would take more of the stack than in the parser, which
// max_depth is made for.
bool is_lossless(const json::value &value) {
  std::vector<const json::value *> open;  // whose parts are still to be looked at
  const auto look_at = [&](const json::value &part) {
    if (part.is_structured()) open.push_back(&part);
    const double *number = part.if_double();
    return number == nullptr || (std::isfinite(*number) && (*number != 0 || !std::signbit(*number)));
  };
  const auto look_at_member = [&](const json::key_value_pair &pair) { return look_at(pair.value()); };
  if (!look_at(value)) return false;
  while (!open.empty()) {
    const json::value &container = *open.back();
    open.pop_back();
    const json::array *elements = container.if_array();
    const bool lossless = elements != nullptr ? std::all_of(elements->begin(), elements->end(), look_at)
                                              : std::all_of(container.get_object().begin(),
                                                            container.get_object().end(), look_at_member);
    if (!lossless) return false;
  }
  return true;
}

void append_json(std::string &out, const json::value &value) {
  std::vector<OpenContainer> open;
  const json::value *next = &value;
  for (;;) {
    if (next->is_structured()) {
      out.push_back(next->is_array() ? '[' : '{');
      open.emplace_back(*next);
    } else {
      append_scalar(out, *next);
    }
    while (!open.empty() && open.back().done()) {
      out.push_back(open.back().closing_bracket());
      open.pop_back();
    }
    if (open.empty()) return;
    next = &open.back().next(out);
  }
}

}  // namespace dsh::todo
