#include "list_schema.hpp"

#include <algorithm>

#include "json_value.hpp"

namespace dsh::todo::plain {
namespace json = boost::json;

void ItemsCheck::check(const json::value &item) {
  if (item.is_object())
    check_members(item);
  else
    report({}, {}, " must be an object");
  ++index_;
}

void ItemsCheck::check_members(const json::value &item) {
  const json::value *content = member(item, "content");
  const json::value *status = member(item, "status");
  if (content == nullptr) report_missing("content");
  if (status == nullptr) report_missing("status");
  if (content != nullptr && !content->is_string()) report(".", "content", " must be a string");
  if (status != nullptr && !status->is_string()) {
    report(".", "status", " must be a string");
  } else if (status != nullptr && !is_status(text_of(status->get_string()))) {
    report(".", "status", " must be one of ");
    append_status_names();
  }
  const std::size_t declared = (content != nullptr ? 1U : 0U) + (status != nullptr ? 1U : 0U);
  if (extra_keys_ == ExtraKeys::refused && item.get_object().size() > declared)
    report_undeclared(item.get_object());
}

void ItemsCheck::append_status_names() {
  char before = '[';
  for (const std::string_view name : status_names) {
    violations_.append(1, before).append("\"").append(name).append("\"");
    before = ',';
  }
  violations_ += ']';
}

void ItemsCheck::report_undeclared(const json::object &item) {
  for (const json::key_value_pair *pair : own_members(item)) {
    const std::string_view key(pair->key().data(), pair->key().size());
    if (key == "content" || key == "status") continue;
    report(".", key, " is not a declared property (additionalProperties: false)");
  }
}

void ItemsCheck::report_missing(std::string_view key) {
  begin_violation();
  violations_ += "missing required property ";
  append_path(".", key);
}

void ItemsCheck::report(std::string_view dot, std::string_view key, std::string_view fault) {
  begin_violation();
  append_path(dot, key);
  violations_ += fault;
}

void ItemsCheck::begin_violation() {
  if (!violations_.empty()) violations_ += "; ";
}

/// `"todos[3].status"`. Key names go in raw: the message escapes nothing.
void ItemsCheck::append_path(std::string_view dot, std::string_view key) {
  violations_.append("\"todos[").append(std::to_string(index_)).append("]");
  violations_.append(dot).append(key).append("\"");
}

std::string arguments_violations(const json::value &arguments) {
  if (!arguments.is_object()) return R"("arguments" must be an object)";
  const json::value *todos = member(arguments, "todos");
  if (todos == nullptr) return std::string(list_missing);
  if (!todos->is_array()) return std::string(no_list);
  ItemsCheck check(ExtraKeys::refused);
  for (const json::value &item : todos->get_array()) check.check(item);
  return check.violations();
}

std::string_view content_of(const json::value &item) {
  return text_of(member(item, "content")->get_string());
}

Status status_of(const json::value &item) {
  const std::string_view name = text_of(member(item, "status")->get_string());
  return static_cast<Status>(std::find(status_names.begin(), status_names.end(), name) -
                             status_names.begin());
}

bool is_status(std::string_view text) noexcept {
  return std::find(status_names.begin(), status_names.end(), text) != status_names.end();
}

}  // namespace dsh::todo::plain
