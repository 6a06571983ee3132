#include "list_schema.hpp"

#include <algorithm>
#include <utility>

#include "json_value.hpp"

namespace dsh::todo::plain {
namespace json = boost::json;
namespace {

// Collects what a value does against the schema of a list, in the order the schema checks it.
class SchemaCheck {
 public:
  explicit SchemaCheck(ExtraKeys extra_keys) : extra_keys_(extra_keys) {}

  /// `root` is the object with the list.
  void check_root(const json::value &root) {
    if (!root.is_object())
      report(R"("arguments" must be an object)");
    else if (const json::value *todos = member(root, "todos"); todos == nullptr)
      report(R"(missing required property "todos")");
    else
      check_list(*todos);
  }

  void check_list(const json::value &todos) {
    const json::array *items = todos.if_array();
    if (items == nullptr) {
      report(R"("todos" must be an array)");
      return;
    }
    for (std::size_t i = 0; i < items->size(); ++i) check_item((*items)[i], i);
  }

  /// All violations, joined; empty where there are none.
  std::string take() noexcept { return std::move(violations_); }

 private:
  void check_item(const json::value &item, std::size_t index) {
    if (!item.is_object()) {
      report_item(index, {}, {}, " must be an object");
      return;
    }
    const json::value *content = member(item, "content");
    const json::value *status = member(item, "status");
    if (content == nullptr) report_missing(index, "content");
    if (status == nullptr) report_missing(index, "status");
    if (content != nullptr && !content->is_string()) report_item(index, ".", "content", " must be a string");
    if (status != nullptr && !status->is_string()) {
      report_item(index, ".", "status", " must be a string");
    } else if (status != nullptr && !is_status(text_of(status->get_string()))) {
      report_item(index, ".", "status", " must be one of ");
      append_status_names();
    }
    const std::size_t declared = (content != nullptr ? 1U : 0U) + (status != nullptr ? 1U : 0U);
    if (extra_keys_ == ExtraKeys::refused && item.get_object().size() > declared)
      report_undeclared(item.get_object(), index);
  }

  void append_status_names() {
    char before = '[';
    for (const std::string_view name : status_names) {
      violations_.append(1, before).append("\"").append(name).append("\"");
      before = ',';
    }
    violations_ += ']';
  }

  void report_undeclared(const json::object &item, std::size_t index) {
    for (const json::key_value_pair *pair : own_members(item)) {
      const std::string_view key(pair->key().data(), pair->key().size());
      if (key == "content" || key == "status") continue;
      report_item(index, ".", key, " is not a declared property (additionalProperties: false)");
    }
  }

  void report_missing(std::size_t index, std::string_view key) {
    report("missing required property ");
    append_path(index, ".", key);
  }

  void report_item(std::size_t index, std::string_view dot, std::string_view key, std::string_view fault) {
    report({});
    append_path(index, dot, key);
    violations_ += fault;
  }

  void report(std::string_view violation) {
    if (!violations_.empty()) violations_ += "; ";
    violations_ += violation;
  }

  /// `"todos[3].status"`. Key names go in raw: the message escapes nothing.
  void append_path(std::size_t index, std::string_view dot, std::string_view key) {
    violations_.append("\"todos[").append(std::to_string(index)).append("]");
    violations_.append(dot).append(key).append("\"");
  }

  ExtraKeys extra_keys_;
  std::string violations_;
};

}  // namespace

std::string arguments_violations(const json::value &arguments) {
  SchemaCheck check(ExtraKeys::refused);
  check.check_root(arguments);
  return check.take();
}

std::string list_violations(const json::value &todos, ExtraKeys extra_keys) {
  SchemaCheck check(extra_keys);
  check.check_list(todos);
  return check.take();
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
