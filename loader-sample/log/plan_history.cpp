#include "log/plan_history.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "log/json_reader.hpp"
#include "log/log_reader.hpp"
#include "text/error.hpp"

namespace dsh::loader {
namespace {

PlanItem parse_item(std::string_view span) {
  if (!is_json_object(span)) throw Error("an item is no object");
  PlanItem item;
  std::optional<std::string> content;
  std::optional<std::string> status;
  JsonReader reader(span);
  JsonString key;
  std::string_view value;
  while (reader.next_member(key) && reader.value(value)) {
    if (key == "content") {
      content = string_value(value);
    } else if (key == "status") {
      status = string_value(value);
    } else {
      item.extra_keys = true;
    }
  }
  if (!content) throw Error("an item's content is missing or no text");
  if (!status) throw Error("an item's status is missing or no text");
  item.content = *std::move(content);
  item.status = *std::move(status);
  return item;
}

std::unordered_map<std::string_view, std::string_view> statuses(const std::vector<PlanItem> &items) {
  std::unordered_map<std::string_view, std::string_view> by_content;
  for (const PlanItem &item : items) by_content[item.content] = item.status;
  return by_content;
}

}  // namespace

std::vector<PlanItem> parse_plan_items(std::string_view data) {
  const std::string_view todos = json_member(data, "todos");
  if (!is_json_array(todos)) throw Error("todos is missing or no list");
  std::vector<PlanItem> items;
  JsonReader reader(todos);
  std::string_view span;
  while (reader.next_element() && reader.value(span)) items.push_back(parse_item(span));
  return items;
}

PlanChange compare_plans(const std::vector<PlanItem> &before, const std::vector<PlanItem> &after) {
  const auto old = statuses(before);
  const auto now = statuses(after);
  PlanChange change;
  for (const PlanItem &item : after) {
    const auto former = old.find(item.content);
    const std::string_view was = former == old.end() ? std::string_view() : former->second;
    if (former == old.end() && item.status != "completed") change.added.push_back(item.content);
    if (item.status == "in_progress" && was != "in_progress") change.started.push_back(item.content);
    if (item.status == "completed" && was != "completed") change.finished.push_back(item.content);
    if (was == "completed" && item.status != "completed") change.reopened.push_back(item.content);
  }
  for (const PlanItem &item : before) {
    if (item.status != "completed" && !now.contains(item.content)) change.dropped.push_back(item.content);
  }
  return change;
}

void read_plan_history(const LogFile &file, const std::function<void(const HistoryEntry &)> &each,
                       FileOps &ops) {
  LogSource source(file, ops);
  LogReader reader(source.bytes());
  std::vector<PlanItem> plan;
  bool written = false;  // a plan stands
  while (reader.next()) {
    const Event &event = reader.stored().event();
    HistoryEntry entry{event.seq, event.time, false, {}, {}, {}};
    if (event.type == "turn/start") {
      if (!written) continue;
      entry.cleared = true;
      written = false;
      plan.clear();
    } else if (event.type == "todo/write") {
      try {
        entry.items = parse_plan_items(event.data);
        entry.change = compare_plans(plan, entry.items);
        plan = entry.items;
        written = true;
      } catch (const Error &error) {
        entry.problem = error.what();
      }
    } else {
      continue;
    }
    each(entry);
  }
}

}  // namespace dsh::loader
