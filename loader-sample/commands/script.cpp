#include "commands/script.hpp"

#include <exception>
#include <new>

#include "commands/script_expect.hpp"
#include "commands/script_line.hpp"
#include "commands/script_ops.hpp"
#include "text/error.hpp"
#include "text/json_text.hpp"

namespace dsh::loader {
namespace {

std::string failed(std::string_view error) { return "\"ok\":false,\"error\":" + json_string(error); }

/// Runs `work`, which returns the members of an answer; a failure is an answer too.
template <typename Work>
std::string guarded(const Work &work) {
  try {
    return work();
  } catch (const std::bad_alloc &) {
    throw;  // what the line did may stand
  } catch (const std::exception &error) {
    return failed(text_of(error));
  }
}

}  // namespace

std::string failure_answer(std::string_view error) { return '{' + failed(error) + '}'; }

std::string Script::answer(std::string_view text) {
  session_.clear();
  try {
    std::string answer = full_answer(text);
    answer += '\n';
    return answer;
  } catch (const std::bad_alloc &) {
    notified_ = {};
    const bool done = !session_.empty() && events_in(session_) != events_before_;
    return failure_answer(done ? "out of memory for the answer: what the line asked for is done, and stands"
                               : "out of memory") +
           '\n';
  }
}

/// How many events a session has; −1: there is none of that id.
std::int64_t Script::events_in(const std::string &session) const {
  try {
    return host_.sessions().find(session)->size();
  } catch (const Error &) {
    return -1;
  }
}

std::string Script::full_answer(std::string_view text) {
  notified_.clear();
  std::optional<std::string_view> expected;
  std::string answer = finish(guarded([&] {
    const ScriptLine line(text);
    expected = line.find("expect");
    return carry_out(line);
  }));
  if (!expected) return answer;
  const auto found = mismatch(*expected, answer);
  if (!found) return answer;
  as_expected_ = false;
  return finish(failed(*found));
}

std::string Script::carry_out(const ScriptLine &line) {
  const std::string name = line.text("op");
  if (name == "projection/subscribe") {
    subscribe();
    return "\"ok\":true";
  }
  if (name == "projection/unsubscribe") {
    host_.projections();
    if (subscriptions_.empty()) throw Error("nothing is subscribed");
    subscriptions_.pop_back();
    return "\"ok\":true";
  }
  const ScriptOp op = find_script_op(name);
  if (op == nullptr) throw Error("unknown op " + json_string(name));
  if (const auto session = line.find("session"); session && session->front() == '"') {
    session_ = line.text("session");
    events_before_ = events_in(session_);
  }
  return "\"ok\":true" + op(host_, line);
}

std::string Script::finish(std::string fields) {
  if (tells_changes_) fields += ",\"notified\":[" + notified_ + ']';
  return '{' + fields + '}';
}

void Script::subscribe() {
  subscriptions_.push_back(host_.projections().subscribe([this](const ProjectionChange &change) {
    if (!notified_.empty()) notified_ += ',';
    notified_ +=
        "{\"session\":" + json_string(change.session) + ",\"key\":" + json_string(change.key) + ",\"value\":";
    notified_.append(change.value) += ",\"seq\":" + std::to_string(change.seq) + '}';
  }));
  tells_changes_ = true;
}

}  // namespace dsh::loader
