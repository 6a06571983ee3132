// What each write did to the plan: the model of `plan --history`. Pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "view/plan.hpp"

namespace dsh::loader {

enum class Change {
  added,
  started,   ///< now in progress
  finished,  ///< now completed
  paused,    ///< in progress before, pending again
  reopened,  ///< completed before, not any more
  dropped    ///< not in the list any more
};

struct PlanChange {
  Change what = Change::added;
  PlanItem item;  ///< as it is after the write; a dropped one as it was before

  friend bool operator==(const PlanChange &, const PlanChange &) = default;
};

/// One event of a log that set the plan: a write, or the start of a turn, which clears it.
struct HistoryEntry {
  std::int64_t seq = 0;
  std::int64_t time = 0;  ///< milliseconds since 1970-01-01 UTC, any value that a log may hold
  bool turn_start = false;
  Plan plan;  ///< after it
  std::vector<PlanChange> changes;
};

/// From one plan to the next, in the order of the new list, dropped items last. Items are the same where
/// their contents are; of several alike the first belongs to the first. An item that comes already
/// started or finished is both added and that.
std::vector<PlanChange> changes_between(const Plan &before, const Plan &after);

}  // namespace dsh::loader
