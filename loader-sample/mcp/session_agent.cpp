#include "mcp/session_agent.hpp"

#include <utility>

#include "agent/plan_fold.hpp"
#include "log/byte_source.hpp"
#include "text/attempt.hpp"
#include "text/error.hpp"

namespace dsh::loader {

SessionAgent::SessionAgent(PluginHost &host, Place place) : host_(host), place_(std::move(place)) {
  if (is_durable()) return;
  subscription_ = host_.projections().subscribe(
      [this](const ProjectionChange &change) { changed_ = changed_ || change.key == "todos"; });
}

std::vector<ToolInfo> SessionAgent::tools() { return host_.tools().list(); }

ToolResult SessionAgent::call(std::string_view name, std::string_view arguments) {
  try {
    ToolResult result = call_once(name, arguments);
    // Another process has created the session meanwhile: nothing of the call is in any log, and it is made
    // again in what the other has created.
    return session_ || !is_stored() ? result : call_once(name, arguments);
  } catch (const Error &error) {
    return failed_call(error);
  }
}

/// A session of which nothing is in a log afterwards is not ours: somebody else may create it.
ToolResult SessionAgent::call_once(std::string_view name, std::string_view arguments) {
  ToolResult result;
  try {
    open_session();
    result = turn_->call(name, arguments);
    if (turn_->is_logged()) leave_log();
  } catch (const Error &error) {
    result = failed_call(error);
  }
  if (session_ && session_->size() == 0) forget_session();
  return result;
}

std::optional<SessionAgent::LogState> SessionAgent::log_state() const {
  const auto log = place_.sessions->log(place_.session);
  if (!log) return std::nullopt;
  const OpenedFile opened = open_log(system_file_ops(), *log);
  return LogState{opened.device, opened.inode, opened.size};
}

/// What is no longer the file that was written is not what was left.
void SessionAgent::leave_log() noexcept {
  if (!is_durable()) return;
  attempt([this] {
    const auto now = log_state();
    if (!left_ || (now && now->inode == left_->inode && now->device == left_->device)) left_ = now;
  });
}

/// Have others taken the log away meanwhile, put another in its place, or cut or extended it?
bool SessionAgent::is_log_lost() const noexcept {
  bool lost = false;
  if (is_durable()) attempt([&] { lost = !left_ || log_state() != left_; });
  return lost;
}

bool SessionAgent::is_stored() const { return is_durable() && place_.sessions->exists(place_.session); }

void SessionAgent::open_session() {
  if (session_ && is_log_lost()) forget_session();
  if (session_) return;
  if (is_stored()) {
    session_ = host_.sessions().open(place_.session);
    leave_log();
  } else {
    session_ = host_.sessions().create(place_.session);
  }
  turn_.emplace(host_.tools(), *session_, CallerName{"mcp", client_.empty() ? "unknown" : client_});
}

void SessionAgent::forget_session() {
  turn_.reset();
  session_.reset();
  left_.reset();
  host_.sessions().dispose(place_.session);
}

std::string SessionAgent::plan() {
  if (is_durable()) return read_log().todos;
  return session_ ? standing_plan(host_, *session_) : "null";
}

SessionAgent::Standing SessionAgent::read_log() {
  const auto log = place_.sessions->log(place_.session);
  if (!log) return {};
  if (!reader_) reader_.emplace(host_);
  reader_->read(*log);
  const PlanFold &plan = reader_->standing();
  if (const std::string problem = plan.problem(); !problem.empty()) throw Error(problem);
  Standing standing{plan.json(), reader_->set_by()};
  if (standing.todos == "null") standing.seq = -1;
  return standing;
}

bool SessionAgent::plan_changed() { return is_durable() ? log_changed() : std::exchange(changed_, false); }

/// Has the plan in the log become another since this was last asked?
bool SessionAgent::log_changed() {
  watch_.drain();
  while (watch_.watch(directories())) {
  }
  Standing now;
  try {
    now = read_log();
  } catch (const Error &error) {
    now.todos = error.text();  // which whoever reads the plan is told
  }
  const bool changed = seen_ && *seen_ != now;
  seen_ = std::move(now);
  return changed;
}

std::vector<std::filesystem::path> SessionAgent::directories() const {
  try {
    return place_.sessions->directories(place_.session);
  } catch (const Error &) {
    return {};  // an id that can't be stored
  }
}

int SessionAgent::watch_descriptor() const { return is_durable() ? watch_.descriptor() : -1; }

void SessionAgent::greet(const std::string &client) { client_ = client; }

void SessionAgent::close() {
  if (turn_ && !is_log_lost()) turn_->close();  // what is gone has no turn to end
}

}  // namespace dsh::loader
