#include "log/log_repair.hpp"

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

std::string or_else(std::string_view span, std::string_view otherwise) {
  return std::string(span.empty() ? otherwise : span);
}

std::string call_result(std::string_view turn, std::string_view step, std::string_view call_id,
                        bool started) {
  std::string content = R"([{"type":"text","text":)";
  append_json_string(content, started ? outcome_unknown : not_started);
  content += "}]";
  return tool_result_data({turn, step, call_id, content,
                           started ? R"({"name":"ToolOutcomeUnknownError","code":"TOOL_OUTCOME_UNKNOWN"})"
                                   : R"({"name":"ToolNotStartedError","code":"TOOL_NOT_STARTED"})"});
}

}  // namespace

TurnTracker::Call &TurnTracker::pending(std::string_view id) {
  const auto known =
      std::find_if(calls_.begin(), calls_.end(), [id](const Call &call) { return call.id == id; });
  return known != calls_.end() ? *known : calls_.emplace_back(Call{std::string(id), "1", std::nullopt});
}

/// The calls in a model's message: in `message.content`, or in `content` itself (old logs).
void TurnTracker::follow_message(std::string_view data) {
  std::string_view content = json_member(json_member(data, "message"), "content");
  if (content.empty()) content = json_member(data, "content");
  if (!is_json_array(content)) return;
  JsonReader reader(content);
  std::string_view block;
  while (reader.next_element() && reader.value(block)) {
    const std::string_view id = json_member(block, "id");
    if (is_json_string(id) && string_value(json_member(block, "type")) == "tool-call") {
      pending(id).step = or_else(json_member(data, "step"), step_.value_or("1"));
    }
  }
}

/// A call has its result, which names it in `message.source.callId`, or in `callId` itself (old logs).
void TurnTracker::answer(std::string_view data) {
  std::string_view id = json_member(json_member(json_member(data, "message"), "source"), "callId");
  if (id.empty()) id = json_member(data, "callId");
  std::erase_if(calls_, [id](const Call &call) { return call.id == id; });
}

void TurnTracker::follow(const Event &event) {
  next_seq_ = event.seq + 1;
  last_time_ = event.time;
  last_type_ = event.type;
  if (event.type == event_type::turn_start) {
    ++turns_;
    turn_ = or_else(json_member(event.data, "turn"), std::to_string(turns_));
    step_.reset();
    calls_.clear();
  } else if (event.type == event_type::turn_end) {
    turn_.reset();
    step_.reset();
    calls_.clear();
  } else if (event.type == event_type::step_start) {
    step_ = or_else(json_member(event.data, "step"), "1");
  } else if (event.type == event_type::step_end) {
    step_.reset();
    calls_.clear();
  } else if (event.type == event_type::assistant_message) {
    follow_message(event.data);
  } else if (event.type == event_type::tool_call) {
    const std::string_view id = json_member(event.data, "callId");
    if (!is_json_string(id)) return;
    Call &call = pending(id);
    call.seq = event.seq;
    call.step = or_else(json_member(event.data, "step"), call.step);
  } else if (event.type == event_type::tool_result) {
    answer(event.data);
  }
}

std::vector<OwnedEvent> TurnTracker::closers() const {
  std::vector<OwnedEvent> events;
  if (!turn_) return events;
  std::int64_t seq = next_seq_;
  const auto add = [&](std::string_view type, std::string data) -> OwnedEvent & {
    return events.emplace_back(OwnedEvent{seq++, last_time_, std::string(type), std::move(data), {}, {}});
  };
  for (const Call &call : calls_) {
    OwnedEvent &result =
        add(event_type::tool_result, call_result(*turn_, call.step, call.id, call.seq.has_value()));
    result.surface_op = R"("append")";
    if (call.seq) result.source_event_seqs = "[" + std::to_string(*call.seq) + "]";
  }
  if (step_) add(event_type::step_end, R"({"turn":)" + *turn_ + R"(,"step":)" + *step_ + "}");
  add(event_type::turn_end, R"({"turn":)" + *turn_ + R"(,"reason":{"kind":"interrupted"}})");
  return events;
}

}  // namespace dsh::loader
