#include "log/known_event_types.hpp"

#include <algorithm>
#include <array>

#include "services/event_names.hpp"

namespace dsh::loader {
namespace {

// Sorted.
constexpr std::array<std::string_view, 48> known_types = {
    "agent-preset/selected",
    "agent/inbox/spliced",
    "approval/asked",
    "approval/decided",
    "approval/policy",
    event_type::assistant_chunk,
    event_type::assistant_message,
    "command/done",
    "command/run",
    "compaction/end",
    "compaction/prune",
    "compaction/start",
    "compaction/summary",
    "feedback/record",
    "goal/change",
    "hook/invoked",
    "hook/result",
    "llm/retry",
    "llm/retry-started",
    "permission/preset",
    "plan/mode",
    "request/context",
    "request/header",
    "sandbox/mode",
    "schedule/change",
    event_type::end_seed,
    "session/title",
    "session/title-llm-request",
    event_type::step_end,
    event_type::step_start,
    "subagent/descriptor",
    "team/member",
    "team/message/delivered",
    "team/message/queued",
    "team/task",
    event_type::todo_write,
    "tool-workflow/agent-end",
    "tool-workflow/agent-start",
    "tool-workflow/run-end",
    "tool-workflow/run-start",
    event_type::tool_call,
    "tool/code-dispatch",
    "tool/code-dispatch-start",
    event_type::tool_result,
    event_type::turn_end,
    event_type::turn_start,
    event_type::user_message,
    "web/deepseek-search-llm-request",
};
static_assert(std::is_sorted(known_types.begin(), known_types.end()));

}  // namespace

bool is_known_event_type(std::string_view type) {
  return std::binary_search(known_types.begin(), known_types.end(), type);
}

}  // namespace dsh::loader
