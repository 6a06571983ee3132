// The history of a plan drawn. Pure functions, with the promises of plan_view.hpp.
#pragma once

#include <string>
#include <vector>

#include "view/plan_history.hpp"
#include "view/styled_line.hpp"

namespace dsh::loader {

/// One entry: its local time and what the plan was then, on two lines where one is too narrow, a
/// line for each item it changed, and one for what is wrong with it.
std::vector<std::string> history_lines(const HistoryEntry &entry, const Style &style);

}  // namespace dsh::loader
