// What a log may hold, and how readers see it.
#include <algorithm>
#include <string_view>

#include "fingerprint_set.hpp"
#include "json_elements.hpp"
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

constexpr std::string_view event_data_name = "todo/write data";

bool is_null(std::string_view text) {
  constexpr std::string_view space = " \t\n\r";
  const std::size_t begin = std::min(text.find_first_not_of(space), text.size());
  const std::size_t end = text.find_last_not_of(space) + 1;
  return text.substr(begin, end - begin) == "null";
}

/// The member `todos` of an event's data.
JsonElements todos_of(std::string_view data) {
  if (is_null(data)) throw Refusal("todo/write data is null, it must be an object with todos");
  return JsonElements(data, event_data_name, "todos");
}

/// The first fault of an item of a log. `seen(content)`: did it stand before?
template <class Seen>
std::optional<std::string> find_item_fault(const json::value &item, const Seen &seen) {
  if (!item.is_object() && !item.is_array()) return "todo/write entries must be objects";
  const json::value *content = member(item, "content");
  if (content == nullptr || !content->is_string())
    return "todo/write content must be non-empty and already trimmed";
  const std::string_view text = text_of(content->get_string());
  if (text.empty() || text != trim(text)) return "todo/write content must be non-empty and already trimmed";
  if (seen(text)) return "todo/write repeats content " + quoted(text);
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

/// Does one of the first `count` items, which are sound, have this content?
bool stands_among(const JsonElements &items, std::size_t count, std::string_view content) {
  bool found = false;
  items.each([&](const json::value &item) {
    if (count-- == 0) return false;
    found = content_of(item) == content;
    return !found;
  });
  return found;
}

}  // namespace

std::optional<std::string> find_fault(std::string_view data) {
  const JsonElements items = todos_of(data);
  if (!items.is_array()) return "todo/write todos must be an array";
  FingerprintSet fingerprints;
  std::size_t count = 0;
  std::optional<std::string> fault;
  items.each([&](const json::value &item) {
    fault = find_item_fault(item, [&](std::string_view content) {
      return !fingerprints.insert(content) && stands_among(items, count, content);
    });
    ++count;
    return !fault;
  });
  return fault;
}

bool read_logged_list(std::string_view data, const Write &write) {
  const JsonElements items = todos_of(data);
  if (items.is_array()) {
    ListPieces list(write);
    items.each([&](const json::value &item) {
      append_json(list.next_item(), item);
      return true;
    });
    list.finish();
    return true;
  }
  const Document document(data, event_data_name);
  const json::value *todos = member(document.root(), "todos");
  if (todos == nullptr) return true;
  if (todos->is_null()) return false;
  std::string text;
  append_json(text, *todos);
  write(text);
  return true;
}

void read_standing_list(std::string_view list, const Write &write) {
  const auto malformed = [](std::string_view violations) {
    return Refusal("the list in the log is malformed: " + std::string(violations));
  };
  if (list.empty()) throw malformed(list_missing);
  if (is_null(list)) return write("null");
  const JsonElements items(list, "the list in the log");
  if (!items.is_array()) throw malformed(no_list);
  ItemsCheck check(ExtraKeys::allowed);
  ListPieces view(write);
  items.each([&](const json::value &item) {
    check.check(item);
    if (check.passed()) append_item(view.next_item(), content_of(item), status_of(item));
    return true;
  });
  if (!check.passed()) throw malformed(check.violations());
  view.finish();
}

}  // namespace dsh::todo::plain
