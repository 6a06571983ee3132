#include "config.hpp"

#include <string>
#include <utility>

#include "json_value.hpp"

namespace dsh::todo {
namespace json = boost::json;
namespace {

constexpr std::string_view flag_name = "allowParallelInProgress";

Refusal invalid(const std::string &detail) { return Refusal("invalid config:\n  - " + detail); }

Refusal invalid_flag(const std::string &detail) {
  return invalid("$." + std::string(flag_name) + " " + detail + " (at " + std::string(flag_name) + ")");
}

/// Hosts pass the numbers that JSON cannot spell as texts.
std::string_view string_of_text(std::string_view text) noexcept {
  if (text == ".inf") return "Infinity";
  if (text == "-.inf") return "-Infinity";
  if (text == ".nan") return "NaN";
  return text;
}

/// Appends String(value): `1,2` for an array, `[object Object]` for an object.
void append_string_of(std::string &out, const json::value &value) {
  if (value.is_object()) {
    out += "[object Object]";
  } else if (value.is_string()) {
    out += string_of_text(text_of(value.get_string()));
  } else if (!value.is_array()) {
    append_json(out, value);
  } else {
    bool first = true;
    for (const json::value &element : value.get_array()) {
      if (!std::exchange(first, false)) out.push_back(',');
      if (!element.is_null()) append_string_of(out, element);
    }
  }
}

std::string string_of(const json::value &value) {
  std::string text;
  append_string_of(text, value);
  return text;
}

}  // namespace

Config read_config(std::string_view json) {
  const Document document(json, "the config");
  const json::value &config = document.root();
  if (!config.is_null() && !config.is_object()) throw invalid("expected object but got " + string_of(config));
  const json::value *flag = member(config, flag_name);
  if (flag == nullptr || flag->is_null()) throw invalid_flag("missing required value");
  if (!flag->is_bool()) throw invalid_flag("expected boolean but got " + string_of(*flag));
  return {flag->get_bool()};
}

}  // namespace dsh::todo
