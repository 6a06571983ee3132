#include "view/plan_history.hpp"

#include <map>
#include <string_view>

namespace dsh::loader {
namespace {

const PlanItems &items_of(const Plan &plan) {
  static const PlanItems none;
  return plan.items ? *plan.items : none;
}

/// What a change of status means; an unknown word on either side means nothing.
void add_status_change(std::vector<PlanChange> &changes, Status before, const PlanItem &item) {
  const Status after = item.status;
  if (before == after) return;
  if (after == Status::completed) {
    changes.push_back({Change::finished, item});
    return;
  }
  if (before == Status::completed) changes.push_back({Change::reopened, item});
  if (after == Status::in_progress) changes.push_back({Change::started, item});
  if (before == Status::in_progress && after == Status::pending) changes.push_back({Change::paused, item});
}

}  // namespace

std::vector<PlanChange> changes_between(const Plan &before, const Plan &after) {
  std::multimap<std::string_view, const PlanItem *> gone;
  for (const PlanItem &item : items_of(before)) gone.emplace(item.content, &item);

  std::vector<PlanChange> changes;
  for (const PlanItem &item : items_of(after)) {
    const auto former = gone.lower_bound(item.content);
    if (former == gone.end() || former->first != item.content) {
      changes.push_back({Change::added, item});
      add_status_change(changes, Status::pending, item);
    } else {
      add_status_change(changes, former->second->status, item);
      gone.erase(former);
    }
  }
  // The multimap's order is the alphabet's; people know the list's.
  for (const PlanItem &item : items_of(before)) {
    const auto [first, last] = gone.equal_range(item.content);
    for (auto left = first; left != last; ++left) {
      if (left->second == &item) changes.push_back({Change::dropped, item});
    }
  }
  return changes;
}

}  // namespace dsh::loader
