#include "view/plan_judge.hpp"

#include <algorithm>

#include "text/error.hpp"
#include "text/json_text.hpp"

namespace dsh::loader {
namespace {

std::string quoted_list(const std::vector<std::string_view> &texts) {
  std::string list;
  for (const std::string_view text : texts) {
    if (!list.empty()) list += ", ";
    append_json_string(list, text);
  }
  return list;
}

}  // namespace

void PlanJudge::check(const Event &event, Remarks &remarks) {
  if (event.type == "turn/start") plan_.clear();
  if (event.type != "todo/write") return;
  try {
    parse_plan_items(event.data, next_);
  } catch (const Error &) {
    return;
  }
  if (std::any_of(next_.begin(), next_.end(), [](const PlanItem &item) { return item.extra_keys; })) {
    remarks.add(Severity::warning, "items with keys other than content and status");
  }
  if (const auto dropped = dropped_items(plan_, next_); !dropped.empty()) {
    // Logs are full of these: most are only counted.
    const std::string count = std::to_string(dropped.size()) + " unfinished dropped: ";
    remarks.add(Severity::note, count, [&] { return count + quoted_list(dropped); });
  }
  plan_.swap(next_);
}

}  // namespace dsh::loader
