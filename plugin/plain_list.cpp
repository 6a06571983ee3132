#include "plain_list.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "json_text.hpp"
#include "json_value.hpp"
#include "list_writer.hpp"
#include "refusal.hpp"
#include "text_set.hpp"
#include "wtf8.hpp"

namespace dsh::todo::plain {
namespace json = boost::json;
namespace {

constexpr std::string_view kStatusList = R"(["pending","in_progress","completed"])";

std::optional<Status> status_of(std::string_view text) noexcept {
  const auto *const found = std::find(kStatusNames.begin(), kStatusNames.end(), text);
  if (found == kStatusNames.end()) return std::nullopt;
  return static_cast<Status>(found - kStatusNames.begin());
}

std::string quoted(std::string_view text) {
  std::string out;
  append_quoted(out, text);
  return out;
}

/// Are keys that the schema doesn't know allowed in an item?
enum class ExtraKeys { refused, allowed };

// Collects what a value does against the schema of a list, in the order the schema checks it.
class SchemaCheck {
 public:
  explicit SchemaCheck(ExtraKeys extra_keys) : extra_keys_(extra_keys) {}

  /// `root` is the object with the list.
  void check_root(const json::value &root) {
    if (!root.is_object()) {
      report(R"("arguments" must be an object)");
    } else if (const json::value *todos = member(root, "todos"); todos == nullptr) {
      report(R"(missing required property "todos")");
    } else {
      check_list(*todos);
    }
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
  const std::string &violations() const noexcept { return violations_; }

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
    if (content != nullptr && !content->is_string()) {
      report_item(index, ".", "content", " must be a string");
    }
    if (status != nullptr && !status->is_string()) {
      report_item(index, ".", "status", " must be a string");
    } else if (status != nullptr && !status_of(text_of(status->get_string()))) {
      report_item(index, ".", "status", " must be one of ");
      violations_ += kStatusList;
    }
    const std::size_t declared = (content != nullptr ? 1U : 0U) + (status != nullptr ? 1U : 0U);
    if (extra_keys_ == ExtraKeys::refused && item.get_object().size() > declared) {
      report_undeclared(item.get_object(), index);
    }
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

/// The content and status of an item that passed the schema.
std::string_view content_of(const json::value &item) {
  return text_of(member(item, "content")->get_string());
}
Status status_of(const json::value &item) {
  return *status_of(text_of(member(item, "status")->get_string()));
}

/// The items of an object that passed the schema.
const json::array &items_of(const json::value &root) { return member(root, "todos")->get_array(); }

/// The refusal of a text that is no JSON: the same as of JSON that is no object.
SchemaRefusal no_object() {
  SchemaCheck check(ExtraKeys::refused);
  check.check_root(json::value());
  return SchemaRefusal(check.violations());
}

constexpr std::string_view kArguments = "the text of the arguments";

std::string_view or_empty_object(std::string_view arguments) noexcept {
  return arguments.empty() ? "{}" : arguments;
}

/// The member `todos` of an event's data, as JavaScript gets it: a null pointer where it is undefined.
const json::value *todos_of(const json::value &data) {
  if (data.is_null()) throw Refusal("todo/write data is null, it must be an object with todos");
  return member(data, "todos");
}

constexpr std::string_view kEventData = "todo/write data";

/// The first fault of an item of a log; the contents before it are in `seen`.
std::optional<std::string> find_item_fault(const json::value &item, TextSet &seen) {
  if (!item.is_object() && !item.is_array()) return "todo/write entries must be objects";
  const json::value *content = member(item, "content");
  if (content == nullptr || !content->is_string()) {
    return "todo/write content must be non-empty and already trimmed";
  }
  const std::string_view text = text_of(content->get_string());
  if (text.empty() || text != trim(text)) return "todo/write content must be non-empty and already trimmed";
  if (!seen.insert(text)) return "todo/write repeats content " + quoted(text);
  const json::value *status = member(item, "status");
  if (status != nullptr && status->is_string() && status_of(text_of(status->get_string()))) {
    return std::nullopt;
  }
  std::string fault = "todo/write carries unknown status ";
  if (status == nullptr) {
    fault += "undefined";
  } else {
    append_json(fault, *status);
  }
  return fault;
}

}  // namespace

WrittenList read_call(std::string_view arguments, bool allow_parallel) try {
  const Document document(or_empty_object(arguments), kArguments);
  const json::value &root = document.root();
  if (!is_lossless(root)) throw Refusal("tool execution arguments must be losslessly JSON-serializable");
  SchemaCheck schema(ExtraKeys::refused);
  schema.check_root(root);
  if (!schema.violations().empty()) throw SchemaRefusal(schema.violations());

  WrittenList list{R"({"todos":[)", {}};
  TextSet seen;
  for (const json::value &item : items_of(root)) {
    const std::string_view content = trim(content_of(item));
    if (content.empty()) throw Refusal("invalid todo: `content` must be a non-empty string");
    if (!seen.insert(content)) throw Refusal("invalid todos: duplicate content " + quoted(content));
    ++list.counts.of(status_of(item));
    append_item(list.data, content, status_of(item));
  }
  list.data += "]}";
  if (const std::size_t active = list.counts.in_progress; !allow_parallel && active > 1) {
    throw Refusal("invalid todos: at most one task may be in_progress (got " + std::to_string(active) + ")");
  }
  return list;
} catch (const NotJson &) {
  throw no_object();
}

std::optional<std::string> find_fault(std::string_view data) {
  const Document document(data, kEventData);
  const json::value *todos = todos_of(document.root());
  if (todos == nullptr || !todos->is_array()) return "todo/write todos must be an array";
  TextSet seen;
  for (const json::value &item : todos->get_array()) {
    if (std::optional<std::string> fault = find_item_fault(item, seen)) return fault;
  }
  return std::nullopt;
}

Counts read_counts(std::string_view value) {
  const Document document(value, "the value of the call");
  const json::value *counts = member(document.root(), "counts");
  const auto number = [&](std::string_view key) -> std::size_t {
    const json::value *member_value = counts == nullptr ? nullptr : member(*counts, key);
    const double *count = member_value == nullptr ? nullptr : member_value->if_double();
    constexpr double kLargest = 9007199254740991;  // Number.MAX_SAFE_INTEGER
    if (count == nullptr || !(*count >= 0 && *count <= kLargest) || *count != std::floor(*count)) {
      throw Refusal("the value of the call has no count at counts." + std::string(key));
    }
    return static_cast<std::size_t>(*count);
  };
  return {number("pending"), number("inProgress"), number("completed")};
}

std::optional<std::string> read_sent_list(std::string_view arguments) try {
  const Document document(or_empty_object(arguments), kArguments);
  SchemaCheck schema(ExtraKeys::refused);
  schema.check_root(document.root());
  if (!schema.violations().empty()) return std::nullopt;
  std::string list;
  append_json(list, *member(document.root(), "todos"));
  return list;
} catch (const Refusal &) {
  return std::nullopt;
}

std::string read_logged_list(std::string_view data) {
  const Document document(data, kEventData);
  std::string list;
  if (const json::value *todos = todos_of(document.root())) append_json(list, *todos);
  return list;
}

std::string read_standing_list(std::string_view list) {
  if (list.empty()) throw Refusal(R"(the list in the log is malformed: missing required property "todos")");
  const Document document(list, "the list in the log");
  if (document.root().is_null()) return "null";
  SchemaCheck schema(ExtraKeys::allowed);
  schema.check_list(document.root());
  if (!schema.violations().empty()) {
    throw Refusal("the list in the log is malformed: " + schema.violations());
  }
  std::string view = "[";
  for (const json::value &item : document.root().get_array()) {
    append_item(view, content_of(item), status_of(item));
  }
  view.push_back(']');
  return view;
}

}  // namespace dsh::todo::plain
