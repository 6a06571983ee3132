#include "check/generator.hpp"

#include <array>
#include <boost/json.hpp>

#include "text/json_text.hpp"
#include "text/utf.hpp"

namespace dsh::loader::check {
namespace json = boost::json;
namespace {

constexpr std::array words = {"read",  "write", "the",    "log",  "plan",  "check", "again", "build", "ship",
                              "tests", "for",   "Größen", "計画", "notes", "first", "last",  "step",  "done"};
constexpr int deepest = 6;

}  // namespace

std::string Generator::text(bool plain) {
  std::string made;
  if (plain || !one_in(3)) {
    const std::size_t count = 1 + below(4);
    for (std::size_t i = 0; i < count; ++i) made.append(words[below(words.size())]).push_back(' ');
    return made + std::to_string(below(100'000));
  }
  // Empty and blank texts, control characters, quotes, astral characters, lone surrogates, long runs.
  static constexpr std::array odd = {0x00,   0x07,   0x1B,   0x22,    0x5C,     0x7F,
                                     0x85,   0xA0,   0x200B, 0x2028,  0x202E,   0xFEFF,
                                     0xFFFD, 0xD800, 0xDFFF, 0x1F600, 0x10FFFF, 0x20};
  const std::size_t count = one_in(20) ? 5000 : below(8);
  for (std::size_t i = 0; i < count; ++i)
    append_code_point(made, static_cast<std::uint32_t>(odd[below(odd.size())]));
  return to_wtf8(made);
}

std::string Generator::bytes(std::size_t size) {
  std::string made(size, '\0');
  for (char &byte : made) byte = static_cast<char>(engine_());
  return made;
}

json::value Generator::make_any(int depth) {
  switch (below(depth >= deepest ? 5 : 7)) {
    case 0:
      return nullptr;
    case 1:
      return one_in(2);
    case 2:
      return static_cast<std::int64_t>(engine_()) / 3;
    case 3:
      return static_cast<double>(engine_()) / 7.0;
    case 4:
      return json::string(text(false));
    case 5: {
      json::array made;
      for (std::size_t i = below(4); i > 0; --i) made.push_back(make_any(depth + 1));
      return made;
    }
    default: {
      json::object made;
      for (std::size_t i = below(4); i > 0; --i) made[text(false)] = make_any(depth + 1);
      return made;
    }
  }
}

std::string Generator::any_json() { return to_json(make_any(0)); }

json::value Generator::make_of_type(std::string_view type, const json::value &schema, bool plain, int depth) {
  const json::object &members = schema.get_object();
  if (type == "string") return json::string(text(plain));
  if (type == "boolean") return one_in(2);
  if (type == "integer") return static_cast<std::int64_t>(below(1000)) - (plain ? 0 : 500);
  if (type == "number") return static_cast<double>(below(1000)) / 8.0;
  if (type == "null") return nullptr;
  if (type == "array") {
    json::array made;
    const json::value *items = members.if_contains("items");
    for (std::size_t i = depth >= deepest ? 0 : below(5); i > 0; --i)
      made.push_back(items == nullptr ? make_any(depth + 1) : make(*items, plain, depth + 1));
    return made;
  }
  json::object made;
  const json::value *properties = members.if_contains("properties");
  const json::value *required = members.if_contains("required");
  if (properties != nullptr) {
    for (const auto &[name, property] : properties->get_object()) {
      bool needed = false;
      if (required != nullptr)
        for (const json::value &one : required->get_array()) needed = needed || one.get_string() == name;
      if (needed || (depth < deepest && one_in(2))) made[name] = make(property, plain, depth + 1);
    }
  }
  const json::value *more = members.if_contains("additionalProperties");
  const bool open = more == nullptr || (more->is_bool() && more->get_bool());
  if (!plain && open && one_in(3)) made[text(true)] = make_any(depth + 1);
  return made;
}

json::value Generator::make(const json::value &schema, bool plain, int depth) {
  const json::object &members = schema.get_object();
  if (const json::value *one = members.if_contains("const")) return *one;
  if (const json::value *list = members.if_contains("enum"))
    return list->get_array()[below(list->get_array().size())];
  if (const json::value *list = members.if_contains("oneOf"))
    return make(list->get_array()[below(list->get_array().size())], plain, depth);
  const json::value *type = members.if_contains("type");
  if (type == nullptr)
    return members.contains("properties") ? make_of_type("object", schema, plain, depth) : make_any(depth);
  const json::value &chosen = type->is_array() ? type->get_array()[below(type->get_array().size())] : *type;
  return make_of_type(std::string(chosen.get_string()), schema, plain, depth);
}

std::string Generator::instance(const Schema &schema, bool plain) {
  json::value made = make(schema.document(), plain, 0);
  // oneOf may match twice, so that what was made is tried before it is given out.
  for (int i = 0; i < 50 && schema.fault(made); ++i) made = make(schema.document(), plain, 0);
  return to_json(made);
}

void Generator::mutate(json::value &value) {
  if (value.is_object() && !value.get_object().empty() && !one_in(4)) {
    json::object &object = value.get_object();
    const auto member = object.begin() + static_cast<std::ptrdiff_t>(below(object.size()));
    switch (below(4)) {
      case 0:
        object.erase(member);
        return;
      case 1:
        object["undeclared"] = make_any(2);
        return;
      default:
        mutate(member->value());
        return;
    }
  }
  if (value.is_array() && !value.get_array().empty() && !one_in(4)) {
    json::array &array = value.get_array();
    const auto element = array.begin() + static_cast<std::ptrdiff_t>(below(array.size()));
    if (one_in(5))
      array.erase(element);
    else if (one_in(5))
      array.push_back(json::value(*element));
    else
      mutate(*element);
    return;
  }
  value = make_any(3);
}

std::optional<std::string> Generator::violation(const Schema &schema) {
  for (int i = 0; i < 200; ++i) {
    json::value made = make(schema.document(), true, 0);
    mutate(made);
    if (schema.fault(made)) return to_json(made);
  }
  return std::nullopt;
}

std::string Generator::mutation(std::string_view text) {
  json::value value = parse_json(text);
  mutate(value);
  return to_json(value);
}

std::string nested_json(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

}  // namespace dsh::loader::check
