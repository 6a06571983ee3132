// The plan drawn: lines for a terminal or a pipe. Pure functions; no line ends in a line break, none is
// wider than the style's width, and nothing that a log holds reaches a line but as visible() text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "view/plan.hpp"
#include "view/styled_line.hpp"

namespace dsh::loader {

/// What stands between the counts of a plan.
inline constexpr Mark between_counts{"\u2002·\u2002", " - "};

/// The whole plan: the title with the counts, a bar, an empty line, a line an item (with `wrap`: or more).
/// Where the style has a height, the items about the first active one are shown, and how many are not; where
/// that is very low, they come before counts and bar.
/// An absent or an empty plan is one line that says so; a plan with a problem ends in problem_lines().
std::vector<std::string> plan_lines(const Plan &plan, const Style &style);

/// A text of any length (any bytes), in as many lines as it needs, behind a mark on the first.
std::vector<std::string> whole_lines(std::string_view foreign, const Style &style, Mark mark = {});

/// The same of what went wrong.
std::vector<std::string> problem_lines(std::string_view problem, const Style &style);

/// A call in one row: `1/4 completed · Read the code +2`: the first active item, and how many more are
/// active, a number that is never clipped.
std::string plan_row(const ShownItems &items, const Style &style);

}  // namespace dsh::loader
