#include "json_value.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "json_parser.hpp"
#include "json_text.hpp"

namespace dsh::todo {
namespace json = boost::json;
namespace {

json::value parse(std::string_view text, std::string_view what, json::storage_ptr memory) {
  const ParserInput input(text, what);
  json::basic_parser<ValueBuilder> parser(ParserInput::options());
  parser.handler().stack.reset(std::move(memory));
  input.parse(parser);
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
