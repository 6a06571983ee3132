// What a log may hold, read from a document of the whole text: what reading it item by item has to agree
// with.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "json_text.hpp"
#include "json_value.hpp"
#include "list_schema.hpp"
#include "list_writer.hpp"
#include "refusal.hpp"
#include "wtf8.hpp"

namespace dsh::todo::whole {

namespace json = boost::json;

/// The member `todos` of an event's data; null where there is none.
inline const json::value *todos_of(const Document &document) {
  if (document.root().is_null()) throw Refusal("todo/write data is null, it must be an object with todos");
  return member(document.root(), "todos");
}

inline std::optional<std::string> find_fault(std::string_view data) {
  const Document document(data, "todo/write data");
  const json::value *todos = todos_of(document);
  if (todos == nullptr || !todos->is_array()) return "todo/write todos must be an array";
  std::set<std::string_view> seen;
  for (const json::value &item : todos->get_array()) {
    if (!item.is_structured()) return "todo/write entries must be objects";
    const json::value *content = member(item, "content");
    const std::string_view text =
        content != nullptr && content->is_string() ? text_of(content->get_string()) : "";
    if (text.empty() || text != trim(text)) return "todo/write content must be non-empty and already trimmed";
    if (!seen.insert(text).second) return "todo/write repeats content " + quoted(text);
    const json::value *status = member(item, "status");
    if (status != nullptr && status->is_string() && plain::is_status(text_of(status->get_string()))) continue;
    std::string spelt = "undefined";
    if (status != nullptr) append_json(spelt = "", *status);
    return "todo/write carries unknown status " + spelt;
  }
  return std::nullopt;
}

inline std::string read_logged_list(std::string_view data) {
  const Document document(data, "todo/write data");
  std::string list;
  if (const json::value *todos = todos_of(document)) append_json(list, *todos);
  return list;
}

inline std::string read_standing_list(std::string_view list) {
  const std::string malformed = "the list in the log is malformed: ";
  if (list.empty()) throw Refusal(malformed + R"(missing required property "todos")");
  const Document document(list, "the list in the log");
  if (document.root().is_null()) return "null";
  if (!document.root().is_array()) throw Refusal(malformed + R"("todos" must be an array)");
  plain::ItemsCheck check(plain::ExtraKeys::allowed);
  for (const json::value &item : document.root().get_array()) check.check(item);
  if (!check.passed()) throw Refusal(malformed + check.violations());
  std::string view;
  for (const json::value &item : document.root().get_array()) {
    if (!view.empty()) view += ',';
    append_item(view, plain::content_of(item), plain::status_of(item));
  }
  return "[" + view + "]";
}

}  // namespace dsh::todo::whole
