// What a log may hold, and how readers see it.
#include <set>
#include <string_view>

#include "json_text.hpp"
#include "json_value.hpp"
#include "list_schema.hpp"
#include "list_writer.hpp"
#include "plain_list.hpp"
#include "refusal.hpp"
#include "wtf8.hpp"

namespace dsh::todo::plain {
namespace json = boost::json;
namespace {

/// The member `todos` of an event's data, as JavaScript gets it: a null pointer where it is undefined.
const json::value *todos_of(const json::value &data) {
  if (data.is_null()) throw Refusal("todo/write data is null, it must be an object with todos");
  return member(data, "todos");
}

constexpr std::string_view event_data_name = "todo/write data";

/// The first fault of an item of a log; the contents before it are in `seen`.
std::optional<std::string> find_item_fault(const json::value &item, std::set<std::string_view> &seen) {
  if (!item.is_object() && !item.is_array()) return "todo/write entries must be objects";
  const json::value *content = member(item, "content");
  if (content == nullptr || !content->is_string())
    return "todo/write content must be non-empty and already trimmed";
  const std::string_view text = text_of(content->get_string());
  if (text.empty() || text != trim(text)) return "todo/write content must be non-empty and already trimmed";
  if (!seen.insert(text).second) return "todo/write repeats content " + quoted(text);
  const json::value *status = member(item, "status");
  if (status != nullptr && status->is_string() && is_status(text_of(status->get_string())))
    return std::nullopt;
  std::string fault = "todo/write carries unknown status ";
  if (status == nullptr)
    fault += "undefined";
  else
    append_json(fault, *status);
  return fault;
}

}  // namespace

std::optional<std::string> find_fault(std::string_view data) {
  const Document document(data, event_data_name);
  const json::value *todos = todos_of(document.root());
  if (todos == nullptr || !todos->is_array()) return "todo/write todos must be an array";
  std::set<std::string_view> seen;
  for (const json::value &item : todos->get_array())
    if (std::optional<std::string> fault = find_item_fault(item, seen)) return fault;
  return std::nullopt;
}

std::string read_logged_list(std::string_view data) {
  const Document document(data, event_data_name);
  std::string list;
  if (const json::value *todos = todos_of(document.root())) append_json(list, *todos);
  return list;
}

std::string read_standing_list(std::string_view list) {
  if (list.empty()) throw Refusal(R"(the list in the log is malformed: missing required property "todos")");
  const Document document(list, "the list in the log");
  if (document.root().is_null()) return "null";
  const std::string violations = list_violations(document.root(), ExtraKeys::allowed);
  if (!violations.empty()) throw Refusal("the list in the log is malformed: " + violations);
  std::string view = "[";
  for (const json::value &item : document.root().get_array())
    append_item(view, content_of(item), status_of(item));
  view.push_back(']');
  return view;
}

}  // namespace dsh::todo::plain
