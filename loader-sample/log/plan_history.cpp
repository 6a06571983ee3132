#include "log/plan_history.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "log/json_reader.hpp"
#include "log/log_reader.hpp"
#include "text/error.hpp"
#include "text/json_text.hpp"

namespace dsh::loader {
namespace {

bool read_text(std::string_view span, std::string &text) {
  if (!is_json_string(span)) return false;
  unescape_json(text, span.substr(1, span.size() - 2));
  return true;
}

void parse_item(std::string_view span, PlanItem &item) {
  if (!is_json_object(span)) throw Error("an item is no object");
  bool content = false;
  bool status = false;
  item.extra_keys = false;
  JsonReader reader(span);
  JsonString key;
  std::string_view value;
  while (reader.next_member(key) && reader.value(value)) {
    if (key == "content") {
      content = read_text(value, item.content);
    } else if (key == "status") {
      status = read_text(value, item.status);
    } else {
      item.extra_keys = true;
    }
  }
  if (!content) throw Error("an item's content is missing or no text");
  if (!status) throw Error("an item's status is missing or no text");
}

std::unordered_map<std::string_view, std::string_view> statuses(const std::vector<PlanItem> &items) {
  std::unordered_map<std::string_view, std::string_view> by_content;
  for (const PlanItem &item : items) by_content[item.content] = item.status;
  return by_content;
}

}  // namespace

void parse_plan_items(std::string_view data, std::vector<PlanItem> &items) {
  const std::string_view todos = json_member(data, "todos");
  if (!is_json_array(todos)) throw Error("todos is missing or no list");
  std::size_t count = 0;
  JsonReader reader(todos);
  std::string_view span;
  while (reader.next_element() && reader.value(span)) {
    if (count == items.size()) items.emplace_back();
    parse_item(span, items[count++]);
  }
  items.resize(count);
}

std::vector<PlanItem> parse_plan_items(std::string_view data) {
  std::vector<PlanItem> items;
  parse_plan_items(data, items);
  return items;
}

std::vector<std::string> dropped_items(const std::vector<PlanItem> &before,
                                       const std::vector<PlanItem> &after) {
  constexpr std::size_t few = 32;  // looked through faster than hashed
  std::unordered_set<std::string_view> contents;
  if (after.size() > few) {
    for (const PlanItem &item : after) contents.insert(item.content);
  }
  const auto is_there = [&](const std::string &content) {
    if (after.size() > few) return contents.contains(content);
    return std::any_of(after.begin(), after.end(),
                       [&content](const PlanItem &item) { return item.content == content; });
  };
  std::vector<std::string> dropped;
  for (const PlanItem &item : before) {
    if (item.status != "completed" && !is_there(item.content)) dropped.push_back(item.content);
  }
  return dropped;
}

PlanChange compare_plans(const std::vector<PlanItem> &before, const std::vector<PlanItem> &after) {
  const auto old = statuses(before);
  PlanChange change;
  for (const PlanItem &item : after) {
    const auto former = old.find(item.content);
    const std::string_view was = former == old.end() ? std::string_view() : former->second;
    if (former == old.end() && item.status != "completed") change.added.push_back(item.content);
    if (item.status == "in_progress" && was != "in_progress") change.started.push_back(item.content);
    if (item.status == "completed" && was != "completed") change.finished.push_back(item.content);
    if (was == "completed" && item.status != "completed") change.reopened.push_back(item.content);
  }
  change.dropped = dropped_items(before, after);
  return change;
}

void read_plan_history(const LogFile &file, const std::function<void(const HistoryEntry &)> &each,
                       FileOps &ops) try {
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
        entry.problem = error.text();
      }
    } else {
      continue;
    }
    each(entry);
  }
} catch (const Error &error) {
  throw naming(file, error);
}

}  // namespace dsh::loader
