#include "todo_list.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>
#include <utility>

#include "json_text.hpp"
#include "json_value.hpp"
#include "refusal.hpp"
#include "wtf8.hpp"

namespace dsh::todo {
namespace json = boost::json;
namespace {

constexpr std::array<std::string_view, 3> kStatuses = {"pending", "in_progress", "completed"};
constexpr std::string_view kStatusNames = R"(["pending","in_progress","completed"])";

bool is_status(std::string_view text) noexcept {
  return std::find(kStatuses.begin(), kStatuses.end(), text) != kStatuses.end();
}

void count(Counts &counts, std::string_view status) noexcept {
  if (status == kStatuses[0]) {
    ++counts.pending;
  } else if (status == kStatuses[1]) {
    ++counts.in_progress;
  } else {
    ++counts.completed;
  }
}

std::string quoted(std::string_view text) {
  std::string out;
  append_quoted(out, text);
  return out;
}

void append_item(std::string &out, std::string_view content, std::string_view status) {
  out += R"({"content":)";
  append_quoted(out, content);
  out += R"(,"status":")";
  out += status;
  out += "\"}";
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
    } else if (status != nullptr && !is_status(text_of(status->get_string()))) {
      report_item(index, ".", "status", " must be one of ");
      violations_ += kStatusNames;
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

/// An item that passed the schema.
struct ItemText {
  explicit ItemText(const json::value &item)
      : content(text_of(member(item, "content")->get_string())),
        status(text_of(member(item, "status")->get_string())) {}

  std::string_view content;
  std::string_view status;
};

/// The items of an object that passed the schema.
const json::array &items_of(const json::value &root) { return member(root, "todos")->get_array(); }

/// JSON, or what stands for text that is none: something that is no object.
SchemaRefusal no_object() {
  SchemaCheck check(ExtraKeys::refused);
  check.check_root(json::value());
  return SchemaRefusal(check.violations());
}

constexpr std::string_view kArguments = "the text of the arguments";

std::string_view or_empty_object(std::string_view arguments) noexcept {
  return arguments.empty() ? "{}" : arguments;
}

/// The member `todos` of an event's data, as JavaScript gets it: null where it is undefined.
const json::value *todos_of(const json::value &data) {
  if (data.is_null()) throw Refusal("todo/write data is null, it must be an object with todos");
  return member(data, "todos");
}

constexpr std::string_view kEventData = "todo/write data";

/// The first fault of an item of a log; the contents before it are in `seen`.
std::optional<std::string> find_item_fault(const json::value &item,
                                           std::unordered_set<std::string_view> &seen) {
  if (!item.is_object() && !item.is_array()) return "todo/write entries must be objects";
  const json::value *content = member(item, "content");
  if (content == nullptr || !content->is_string()) {
    return "todo/write content must be non-empty and already trimmed";
  }
  const std::string_view text = text_of(content->get_string());
  if (text.empty() || text != trim(text)) return "todo/write content must be non-empty and already trimmed";
  if (!seen.insert(text).second) return "todo/write repeats content " + quoted(text);
  const json::value *status = member(item, "status");
  if (status != nullptr && status->is_string() && is_status(text_of(status->get_string()))) {
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

  WrittenList list;
  list.data.reserve(arguments.size() + 16);
  list.data = R"({"todos":[)";
  std::unordered_set<std::string_view> seen;
  seen.reserve(items_of(root).size());
  for (const json::value &element : items_of(root)) {
    const ItemText item(element);
    const std::string_view content = trim(item.content);
    if (content.empty()) throw Refusal("invalid todo: `content` must be a non-empty string");
    if (!seen.insert(content).second) throw Refusal("invalid todos: duplicate content " + quoted(content));
    count(list.counts, item.status);
    if (list.data.back() != '[') list.data.push_back(',');
    append_item(list.data, content, item.status);
  }
  list.data += "]}";
  if (!allow_parallel && list.counts.in_progress > 1) {
    throw Refusal("invalid todos: at most one task may be in_progress (got " +
                  std::to_string(list.counts.in_progress) + ")");
  }
  return list;
} catch (const NotJson &) {
  throw no_object();
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

std::optional<std::string> find_fault(std::string_view data) {
  const Document document(data, kEventData);
  const json::value *todos = todos_of(document.root());
  if (todos == nullptr || !todos->is_array()) return "todo/write todos must be an array";
  std::unordered_set<std::string_view> seen;
  seen.reserve(todos->get_array().size());
  for (const json::value &item : todos->get_array()) {
    if (std::optional<std::string> fault = find_item_fault(item, seen)) return fault;
  }
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
  for (const json::value &element : document.root().get_array()) {
    const ItemText item(element);
    if (view.back() != '[') view.push_back(',');
    append_item(view, item.content, item.status);
  }
  view.push_back(']');
  return view;
}

}  // namespace dsh::todo
