#include "commands/script_expect.hpp"

#include <boost/json/value.hpp>

#include "text/json_text.hpp"

namespace dsh::loader {
namespace {

namespace json = boost::json;

std::optional<std::string> compare(const json::value &expected, const json::value *answer,
                                   const std::string &path);

std::string differ(const json::value &expected, const json::value *answer, const std::string &path) {
  std::string text =
      "expected " + to_json(expected) + " got " + (answer != nullptr ? to_json(*answer) : "nothing");
  if (!path.empty()) text += " at " + path;
  return text;
}

std::optional<std::string> compare_objects(const json::object &expected, const json::object &answer,
                                           const std::string &path) {
  for (const auto &[key, value] : expected) {
    const std::string below = path + (path.empty() ? "" : ".") + std::string(key);
    if (auto found = compare(value, answer.if_contains(key), below)) return found;
  }
  return std::nullopt;
}

std::optional<std::string> compare_arrays(const json::array &expected, const json::array &answer,
                                          const std::string &path) {
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (auto found = compare(expected[i], &answer[i], path + '[' + std::to_string(i) + ']')) return found;
  return std::nullopt;
}

std::optional<std::string> compare(const json::value &expected, const json::value *answer,
                                   const std::string &path) {
  if (answer != nullptr && expected.is_object() && answer->is_object())
    return compare_objects(expected.get_object(), answer->get_object(), path);
  if (answer != nullptr && expected.is_array() && answer->is_array() &&
      expected.get_array().size() == answer->get_array().size())
    return compare_arrays(expected.get_array(), answer->get_array(), path);
  if (answer != nullptr && expected.is_number() && answer->is_number()) {
    if (expected.to_number<double>() == answer->to_number<double>() &&
        (expected.is_double() || answer->is_double() || expected == *answer))
      return std::nullopt;
    return differ(expected, answer, path);
  }
  if (answer != nullptr && expected == *answer) return std::nullopt;
  return differ(expected, answer, path);
}

}  // namespace

std::optional<std::string> mismatch(std::string_view expected, std::string_view answer) {
  const json::value parsed = parse_json(answer);
  return compare(parse_json(expected), &parsed, "");
}

}  // namespace dsh::loader
