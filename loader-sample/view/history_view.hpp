// The history of a plan drawn. Pure functions, with the promises of plan_view.hpp.
#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "view/plan_history.hpp"
#include "view/styled_line.hpp"

namespace dsh::loader {

/// Goes along a history, entry by entry, so that one of any length passes through.
class HistoryWalk {
 public:
  /// The entry with what is to be told of it: among the items added those that arrive completed, too, and as
  /// the problem also a status that is none of ours.
  HistoryEntry next(HistoryEntry entry);

 private:
  std::unordered_set<std::string> contents_;  // of the list that stands
};

/// One entry of a walk: its local time and what the plan was then, on two lines where one is too narrow, a
/// line for each item it changed, and one for what is wrong with it.
std::vector<std::string> history_lines(const HistoryEntry &entry, const Style &style);

}  // namespace dsh::loader
