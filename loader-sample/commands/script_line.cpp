#include "commands/script_line.hpp"

#include <algorithm>
#include <boost/json/value.hpp>

#include "text/error.hpp"
#include "text/json_reader.hpp"
#include "text/json_text.hpp"

namespace dsh::loader {
namespace {

std::string decoded(std::string_view json_string) {
  if (json_string.find('\\') == std::string_view::npos)
    return std::string(json_string.substr(1, json_string.size() - 2));
  const boost::json::value value = parse_json(json_string);
  return std::string(value.get_string());
}

[[noreturn]] void refuse(std::string_view key, const char *what) {
  throw Error('"' + std::string(key) + "\" must be " + what);
}

}  // namespace

ScriptLine::ScriptLine(std::string_view text) {
  if (const JsonCheck check = check_json(text); !check)
    throw Error(std::string("not JSON: ") + check.fault + " at byte " + std::to_string(check.offset));
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (text[start] != '{') throw Error("not a JSON object: a line of a script looks like {\"op\":\"tools\"}");
  members_ = json_members(text);
}

std::optional<std::string_view> ScriptLine::find(std::string_view key) const {
  const auto found = std::find_if(members_.rbegin(), members_.rend(),
                                  [&](const JsonMember &member) { return decoded(member.key) == key; });
  if (found == members_.rend()) return std::nullopt;
  return found->value;
}

std::string_view ScriptLine::json(std::string_view key) const {
  const auto value = find(key);
  if (!value) throw Error('"' + std::string(key) + "\" is missing");
  return *value;
}

std::string ScriptLine::text(std::string_view key) const {
  const std::string_view value = json(key);
  if (value.front() != '"') refuse(key, "a string");
  return decoded(value);
}

std::optional<std::string> ScriptLine::optional_text(std::string_view key) const {
  return find(key) ? std::optional(text(key)) : std::nullopt;
}

std::int64_t ScriptLine::integer(std::string_view key) const {
  const auto number = integer_value(json(key));
  if (!number) refuse(key, "an integer");
  return *number;
}

std::optional<std::int64_t> ScriptLine::optional_integer(std::string_view key) const {
  return find(key) ? std::optional(integer(key)) : std::nullopt;
}

std::vector<ScriptLine> ScriptLine::objects(std::string_view key) const {
  std::vector<ScriptLine> objects;
  const auto value = find(key);
  if (!value) return objects;
  if (value->front() != '[') refuse(key, "an array");
  each_element(*value, [&](std::string_view element) {
    if (element.front() != '{') refuse(key, "an array of objects");
    objects.emplace_back(element);
  });
  return objects;
}

}  // namespace dsh::loader
