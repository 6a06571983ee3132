#include "view/plan_judge.hpp"

#include <cstddef>
#include <string>

#include "text/error.hpp"
#include "text/json_text.hpp"

namespace dsh::loader {
namespace {

/// As many names as there is room for in a finding.
std::string named(const ListRemarks &remarks) {
  constexpr std::size_t room = 2048;  // bytes; a name may be all escapes
  std::string list;
  std::size_t more = remarks.dropped;
  for (const std::string &name : remarks.named) {
    if (list.size() > room) break;
    if (!list.empty()) list += ", ";
    append_json_string(list, name);
    --more;
  }
  return more == 0 ? list : list + " and " + std::to_string(more) + " more";
}

}  // namespace

void PlanJudge::check(const Event &event, Remarks &remarks) {
  if (event.type == event_type::turn_start) unfinished_.clear();
  if (event.type != event_type::todo_write) return;
  ListRemarks list;
  try {
    list = unfinished_.replace(event.data);
  } catch (const Error &) {
    return;
  }
  if (list.extra_keys) remarks.add(Severity::warning, "items with keys other than content and status");
  if (list.dropped == 0) return;
  // Logs are full of these: most are only counted.
  const std::string count = std::to_string(list.dropped) + " unfinished dropped: ";
  remarks.add(Severity::note, count, [&] { return count + named(list); });
}

}  // namespace dsh::loader
