// The plan as a checklist to paste. Pure.
#pragma once

#include <string>

#include "view/plan.hpp"

namespace dsh::loader {

/// A GitHub-flavoured task list, a line an item with LF after it: `- [x] done`, `- [ ] to do`,
/// `- [ ] being done *(in progress)*`; an unknown status stands in the same brackets. Contents are
/// visible() text with what Markdown would obey escaped. An absent or empty plan is one sentence. Strict
/// UTF-8.
std::string plan_markdown(const Plan &plan);

}  // namespace dsh::loader
