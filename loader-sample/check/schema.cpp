#include "check/schema.hpp"

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <valijson/adapters/boost_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "text/error.hpp"
#include "text/json_text.hpp"

namespace dsh::loader::check {
namespace json = boost::json;
namespace {

constexpr std::array types = {"object", "array", "string", "number", "integer", "boolean", "null"};
constexpr std::array annotations = {"$schema", "title", "description", "default", "examples"};

[[noreturn]] void refuse(const std::string &path, const std::string &what) {
  throw Error("the schema at " + path + ": " + what);
}

bool is_one_of(const auto &words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_type(const json::value &value) {
  return value.is_string() && is_one_of(types, std::string(value.get_string()));
}

/// Throws Error unless `schema` is written in the dialect: type, properties, required,
/// additionalProperties, items, enum, const, oneOf, annotations.
void require_dialect(const json::value &schema, const std::string &path) {
  if (!schema.is_object()) refuse(path, "is no object");
  for (const auto &[key, value] : schema.get_object()) {
    const std::string here = path + "." + std::string(key);
    if (key == "type") {
      const bool several = value.is_array() && !value.get_array().empty() &&
                           std::all_of(value.get_array().begin(), value.get_array().end(), is_type);
      if (!is_type(value) && !several) refuse(here, "is no type");
    } else if (key == "properties") {
      if (!value.is_object()) refuse(here, "is no object");
      for (const auto &[name, property] : value.get_object())
        require_dialect(property, here + "." + std::string(name));
    } else if (key == "required") {
      if (!value.is_array()) refuse(here, "is no array");
      for (const json::value &name : value.get_array())
        if (!name.is_string()) refuse(here, "holds something that is no name");
    } else if (key == "additionalProperties") {
      if (!value.is_bool()) require_dialect(value, here);
    } else if (key == "items") {
      require_dialect(value, here);
    } else if (key == "enum") {
      if (!value.is_array() || value.get_array().empty()) refuse(here, "is no list of values");
    } else if (key == "oneOf") {
      if (!value.is_array() || value.get_array().empty()) refuse(here, "is no list of schemas");
      for (std::size_t i = 0; i < value.get_array().size(); ++i)
        require_dialect(value.get_array()[i], here + "[" + std::to_string(i) + "]");
    } else if (key != "const" && !is_one_of(annotations, std::string(key))) {
      refuse(path, "\"" + std::string(key) + "\" is not in the dialect that hosts accept");
    }
  }
}

}  // namespace

struct Schema::Parsed {
  explicit Parsed(std::string_view text) : document(parse_json(text)) {
    require_dialect(document, "$");
    valijson::SchemaParser parser;
    parser.populateSchema(valijson::adapters::BoostJsonAdapter(document), schema);
  }

  json::value document;
  valijson::Schema schema;
};

Schema::Schema(std::string_view text) : parsed_(std::make_unique<Parsed>(text)) {}
Schema::~Schema() = default;
Schema::Schema(Schema &&) noexcept = default;
Schema &Schema::operator=(Schema &&) noexcept = default;

std::optional<std::string> Schema::fault(const json::value &value) const {
  valijson::Validator validator(valijson::Validator::kStrongTypes);
  valijson::ValidationResults results;
  const valijson::adapters::BoostJsonAdapter target(value);
  if (validator.validate(parsed_->schema, target, &results)) return std::nullopt;
  valijson::ValidationResults::Error error;
  if (!results.popError(error)) return "it does not keep its schema";
  std::string where;
  for (const std::string &step : error.context) where += step == "<root>" ? "$" : step;
  return where + ": " + error.description;
}

std::optional<std::string> Schema::fault(std::string_view text) const {
  if (const JsonCheck checked = check_json(text); !checked)
    return "it is not JSON: " + std::string(checked.fault) + " at byte " + std::to_string(checked.offset);
  return fault(parse_json(text));
}

const json::value &Schema::document() const { return parsed_->document; }

bool Schema::is_of_object() const {
  const json::value *type = parsed_->document.get_object().if_contains("type");
  return type != nullptr && type->is_string() && type->get_string() == "object";
}

}  // namespace dsh::loader::check
