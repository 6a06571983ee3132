// The history of a plan drawn. Pure functions, with the promises of plan_view.hpp.
#pragma once

#include <string>
#include <vector>

#include "log/plan_history.hpp"
#include "view/styled_line.hpp"

namespace dsh::loader {

/// One entry: its local time and what the plan was then, on two lines where one is too narrow, and a line for
/// each item it changed. Entry by entry, so that a history of any length passes through.
std::vector<std::string> history_lines(const HistoryEntry &entry, const Style &style);

}  // namespace dsh::loader
