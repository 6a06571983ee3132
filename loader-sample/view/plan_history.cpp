#include "view/plan_history.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "log/log_reader.hpp"
#include "log/place_rules.hpp"
#include "services/event_names.hpp"
#include "text/error.hpp"
#include "view/plan.hpp"

namespace dsh::loader {
namespace {

std::unordered_map<std::string_view, std::string_view> statuses(const std::vector<PlanItem> &items) {
  std::unordered_map<std::string_view, std::string_view> by_content;
  for (const PlanItem &item : items) by_content[item.content] = item.status;
  return by_content;
}

/// The first item whose status is none of ours; empty where there is none.
std::string unknown_status(const std::vector<PlanItem> &items) {
  const auto item = std::find_if(items.begin(), items.end(),
                                 [](const PlanItem &one) { return status_of(one.status) == Status::other; });
  if (item == items.end()) return {};
  return plan_fault::of_item(static_cast<std::size_t>(item - items.begin()) + 1,
                             plan_fault::unknown_status(item->status));
}

/// The contents of what `before` had unfinished and `after` has not, in order.
std::vector<std::string> dropped_items(const std::vector<PlanItem> &before,
                                       const std::vector<PlanItem> &after) {
  std::unordered_set<std::string_view> contents;
  for (const PlanItem &item : after) contents.insert(item.content);
  std::vector<std::string> dropped;
  for (const PlanItem &item : before)
    if (item.status != "completed" && !contents.contains(item.content)) dropped.push_back(item.content);
  return dropped;
}

}  // namespace

PlanChange compare_plans(const std::vector<PlanItem> &before, const std::vector<PlanItem> &after) {
  const auto old = statuses(before);
  PlanChange change;
  for (const PlanItem &item : after) {
    const auto former = old.find(item.content);
    const std::string_view was = former == old.end() ? std::string_view() : former->second;
    if (former == old.end()) change.added.push_back(item.content);
    if (item.status == "in_progress" && was != "in_progress") change.started.push_back(item.content);
    if (item.status == "completed" && was != "completed") change.finished.push_back(item.content);
    if (was == "completed" && item.status != "completed") change.reopened.push_back(item.content);
  }
  change.dropped = dropped_items(before, after);
  return change;
}

std::optional<DroppedTail> read_plan_history(const LogFile &file,
                                             const std::function<void(const HistoryEntry &)> &each,
                                             FileOps &ops) try {
  LogSource source(file, ops);
  LogReader reader(source.bytes());
  require_place(file, reader.header());
  std::vector<PlanItem> plan;
  bool written = false;  // a plan stands
  while (reader.next()) {
    const Event &event = reader.stored().event();
    HistoryEntry entry{event.seq, event.time, false, {}, {}, {}};
    if (event.type == event_type::turn_start) {
      if (!written) continue;
      entry.cleared = true;
      written = false;
      plan.clear();
    } else if (event.type == event_type::todo_write) {
      try {
        entry.items = parse_plan_items(event.data);
        entry.change = compare_plans(plan, entry.items);
        entry.problem = unknown_status(entry.items);
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
  const auto &dropped = reader.dropped();
  return dropped && !dropped->torn ? dropped : std::nullopt;
} catch (const Error &error) {
  rethrow_naming(file, error);
}

}  // namespace dsh::loader
