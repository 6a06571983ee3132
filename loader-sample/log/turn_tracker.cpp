#include "log/turn_tracker.hpp"

#include <algorithm>

#include "services/event_names.hpp"
#include "services/tool_result.hpp"
#include "text/json_reader.hpp"
#include "text/json_text.hpp"

namespace dsh::loader {
namespace {

constexpr const char *outcome_unknown =
    "This call was started, but the session was interrupted before its result was recorded. Whether it "
    "took effect is unknown. Repeat it only if that does no harm, or find out first what it did.";
constexpr const char *not_started =
    "This call was not started: the session was interrupted before. Repeat it if it is still needed.";

std::string call_result(std::int64_t turn, std::int64_t step, std::string_view call_id, bool started) {
  return tool_result_data({std::to_string(turn), std::to_string(step), json_string(call_id),
                           text_content_json(started ? outcome_unknown : not_started),
                           started ? R"({"name":"ToolOutcomeUnknownError","code":"TOOL_OUTCOME_UNKNOWN"})"
                                   : R"({"name":"ToolNotStartedError","code":"TOOL_NOT_STARTED"})"});
}

}  // namespace

TurnTracker::Call &TurnTracker::pending(std::string id) {
  const auto known =
      std::find_if(calls_.begin(), calls_.end(), [&id](const Call &call) { return call.id == id; });
  return known != calls_.end() ? *known : calls_.emplace_back(Call{std::move(id), step_.value_or(1), {}});
}

/// The calls in a model's message: in `message.content`, or in `content` itself (old logs).
void TurnTracker::follow_message(std::string_view data) {
  std::string_view content = json_member(json_member(data, "message"), "content");
  if (content.empty()) content = json_member(data, "content");
  if (!is_json_array(content)) return;
  JsonReader reader(content);
  std::string_view block;
  while (reader.next_element() && reader.value(block)) {
    auto id = string_value(json_member(block, "id"));
    if (!id || string_value(json_member(block, "type")) != "tool-call") continue;
    pending(*std::move(id)).step = counted_number(data, "step").value_or(step_.value_or(1));
  }
}

/// A call has its result, which names it in `message.source.callId`, or in `callId` itself (old logs).
void TurnTracker::answer(std::string_view data) {
  std::string_view span = json_member(json_member(json_member(data, "message"), "source"), "callId");
  if (span.empty()) span = json_member(data, "callId");
  const auto id = string_value(span);
  std::erase_if(calls_, [&id](const Call &call) { return call.id == id; });
}

void TurnTracker::follow(const Event &event) {
  next_seq_ = event.seq + 1;
  last_time_ = event.time;
  last_type_ = event.type;
  if (event.type == event_type::turn_start) {
    if (!open_) calls_.clear();
    open_ = true;
    turn_.follow(event.data);
    step_.reset();
  } else if (event.type == event_type::turn_end) {
    open_ = false;
    step_.reset();
    calls_.clear();
  } else if (event.type == event_type::step_start) {
    step_ = counted_number(event.data, "step").value_or(1);
  } else if (event.type == event_type::step_end) {
    step_.reset();
  } else if (event.type == event_type::assistant_message) {
    follow_message(event.data);
  } else if (event.type == event_type::tool_call) {
    auto id = string_value(json_member(event.data, "callId"));
    if (!id) return;
    Call &call = pending(*std::move(id));
    call.seq = event.seq;
    call.step = counted_number(event.data, "step").value_or(call.step);
  } else if (event.type == event_type::tool_result) {
    answer(event.data);
  }
}

std::vector<OwnedEvent> TurnTracker::closers() const {
  std::vector<OwnedEvent> events;
  if (!open_) return events;
  std::int64_t seq = next_seq_;
  const auto add = [&](std::string_view type, std::string data) -> OwnedEvent & {
    return events.emplace_back(OwnedEvent{seq++, last_time_, std::string(type), std::move(data), {}, {}});
  };
  for (const Call &call : calls_) {
    OwnedEvent &result =
        add(event_type::tool_result, call_result(turn_.number(), call.step, call.id, call.seq.has_value()));
    result.surface_op = R"("append")";
    if (call.seq) result.source_event_seqs = "[" + std::to_string(*call.seq) + "]";
  }
  const std::string turn = R"({"turn":)" + std::to_string(turn_.number());
  if (step_) add(event_type::step_end, turn + R"(,"step":)" + std::to_string(*step_) + '}');
  add(event_type::turn_end, turn + R"(,"reason":{"kind":"interrupted"}})");
  return events;
}

}  // namespace dsh::loader
