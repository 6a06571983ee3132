#include "agent/agent_turn.hpp"

#include <algorithm>
#include <utility>

#include "agent/result_json.hpp"
#include "log/turn_numbers.hpp"
#include "services/event_names.hpp"
#include "services/tool_result.hpp"
#include "text/error.hpp"
#include "text/json_text.hpp"
#include "text/uuid.hpp"

namespace dsh::loader {
namespace {

/// The number of the last turn, 0 where there was none. Looked for from the end: the last turn is
/// seldom far.
std::int64_t last_turn(Session &session) {
  constexpr std::int64_t block = 256;
  std::int64_t number = 0;
  for (std::int64_t end = session.size(); end > 0; end -= block) {
    LastTurn last;
    session.read(std::max<std::int64_t>(end - block, 0), [&](const Event &event) {
      if (event.seq >= end) return false;
      if (event.type == event_type::turn_start) last.follow(event.data);
      return true;
    });
    number += last.number();
    if (last.is_numbered()) break;
  }
  return number;
}

}  // namespace

AgentTurn::AgentTurn(const Tools &tools, Session &session, CallerName caller)
    : tools_(tools), session_(session), caller_(std::move(caller)) {}

ToolResult AgentTurn::call(std::string_view name, std::string_view arguments, Then then) {
  settle();
  pay();
  const bool was_open = open_;
  if (!open_) begin_turn(Sync::deferred);
  begin_step(name, arguments);
  const std::int64_t call_seq = under_way_->call_seq;
  ToolResult result = tools_.call(name, arguments, &session_, under_way_->call_id);
  // Where the disk refused, what had not reached it is gone from the log, the call with it.
  const auto call_is_there = [&] { return session_.size() > call_seq; };
  logged_ = call_is_there();
  if (!logged_) {
    forget_step(was_open);
    if (!result.is_error) throw Error("the log took nothing of this call, whatever the tool says");
    return result;
  }
  owe_step_end(result);
  if (then == Then::close) owe_turn_end();
  try {
    pay();
  } catch (const std::exception &error) {
    logged_ = call_is_there();
    if (!logged_) {
      forget_step(was_open);
      throw;
    }
    debt_ = text_of(error);  // what the tool appended stays: to call that a failure would be a lie
  }
  return result;
}

bool AgentTurn::owes_result() const noexcept {
  return std::any_of(owed_.begin(), owed_.end(),
                     [](const Owed &one) { return one.type == event_type::tool_result; });
}

void AgentTurn::close() {
  settle();
  if (open_) owe_turn_end();
  pay();
}

void AgentTurn::begin_turn(Sync sync) {
  turn_ = last_turn(session_) + 1;
  step_ = 0;
  turn_seq_ =
      session_.append({event_type::turn_start, "{\"turn\":" + std::to_string(turn_) + '}', {}, {}}, sync);
  open_ = true;
}

void AgentTurn::begin_step(std::string_view name, std::string_view arguments) {
  under_way_ = {session_.size(), -1, "call_" + random_uuid()};
  ++step_;
  const std::string &call_id = under_way_->call_id;
  const std::string call =
      ",\"name\":" + json_string(name) + ",\"arguments\":" + json_string(arguments) + '}';
  session_.append({event_type::step_start, '{' + place() + '}', {}, {}}, Sync::deferred);
  session_.append(
      {event_type::assistant_message,
       '{' + place() + ",\"message\":{\"role\":\"assistant\",\"content\":[{\"type\":\"tool-call\",\"id\":\"" +
           call_id + '"' + call +
           "],\"source\":{\"kind\":\"model\",\"provider\":" + json_string(caller_.provider) +
           ",\"model\":" + json_string(caller_.model) + "},\"id\":\"" + random_uuid() + "\"}}",
       "[]", "\"append\""},
      Sync::deferred);
  under_way_->call_seq = session_.append(
      {event_type::tool_call, '{' + place() + ",\"callId\":\"" + call_id + '"' + call, {}, {}},
      Sync::deferred);
}

/// Where a plugin's rule refused a call, or memory ran out during one: the step that began has to end. What
/// was never written goes with what the disk refused.
void AgentTurn::settle() {
  open_ = open_ && session_.size() > turn_seq_;
  if (!under_way_) return;
  if (session_.size() > under_way_->seq) return owe_step_end(failed_call(Error("out of memory")));
  --step_;
  under_way_.reset();
}

void AgentTurn::forget_step(bool turn_was_open) {
  owed_.clear();
  debt_.clear();
  under_way_.reset();
  open_ = turn_was_open;
  --step_;
}

/// The end of the step that is under way, after the result of its call, if that was made.
void AgentTurn::owe_step_end(const ToolResult &result) {
  owed_.reserve(owed_.size() + 2);
  Owed end{event_type::step_end, '{' + place() + '}', {}, {}};
  if (under_way_->call_seq >= 0)
    owed_.push_back({event_type::tool_result, result_data(under_way_->call_id, result),
                     '[' + std::to_string(under_way_->call_seq) + ']', "\"append\"", under_way_->call_id});
  owed_.push_back(std::move(end));
  under_way_.reset();
}

void AgentTurn::owe_turn_end() {
  owed_.push_back({event_type::turn_end,
                   "{\"turn\":" + std::to_string(turn_) + ",\"reason\":{\"kind\":\"completed\"}}",
                   {},
                   {}});
  open_ = false;
}

/// What a turn's end follows is on disk before it; nothing waits for the end itself.
Sync AgentTurn::sync_of(const Owed &owed) const {
  const auto is_turn_end = [](const Owed &one) { return one.type == event_type::turn_end; };
  if (is_turn_end(owed)) return Sync::written;
  return &owed == &owed_.back() || is_turn_end(*(&owed + 1)) ? Sync::now : Sync::deferred;
}

void AgentTurn::pay() {
  const std::int64_t paid_to = session_.size();
  try {
    for (Owed &one : owed_) append(one, sync_of(one));
    owed_.clear();
    debt_.clear();
  } catch (...) {
    // All of it where the disk refused; where a plugin's rule refused one, those before it are paid.
    const std::int64_t paid = std::max<std::int64_t>(session_.size() - paid_to, 0);
    owed_.erase(owed_.begin(), owed_.begin() + paid);
    throw;
  }
}

/// In the place of a result that no log holds stands that failure: without any, the call had no end.
void AgentTurn::append(Owed &owed, Sync sync) {
  const auto try_it = [&] {
    session_.append({owed.type, owed.data, owed.source_event_seqs, owed.surface_op}, sync);
  };
  try {
    try_it();
  } catch (const UnfitEvent &error) {
    if (owed.call_id.empty()) throw;
    owed.data = result_data(owed.call_id, failed_call(error));
    try_it();
  }
}

std::string AgentTurn::result_data(const std::string &call_id, const ToolResult &result) const {
  return tool_result_data({std::to_string(turn_), std::to_string(step_), json_string(call_id),
                           text_content_json(result.text),
                           result.is_error ? error_json(result) : std::string()});
}

std::string AgentTurn::place() const {
  return "\"turn\":" + std::to_string(turn_) + ",\"step\":" + std::to_string(step_);
}

}  // namespace dsh::loader
