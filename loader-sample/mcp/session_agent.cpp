#include "mcp/session_agent.hpp"

#include <new>
#include <utility>

#include "agent/plan_fold.hpp"
#include "text/error.hpp"

namespace dsh::loader {

SessionAgent::SessionAgent(PluginHost &host, Place place) : host_(host), place_(std::move(place)) {
  if (is_durable()) return;
  subscription_ = host_.projections().subscribe(
      [this](const ProjectionChange &change) { changed_ = changed_ || change.key == plan_key; });
}

std::vector<ToolInfo> SessionAgent::tools() { return host_.tools().list(); }

ToolResult SessionAgent::call(std::string_view name, std::string_view arguments) {
  if (is_durable()) changed_ = true;
  try {
    require_session();
    return turn_->call(name, arguments);
  } catch (const Error &error) {
    return failed_call(error);
  }
}

bool SessionAgent::is_stored() const { return is_durable() && place_.sessions->exists(place_.session); }

void SessionAgent::require_session() {
  if (session_ && (!turn_ || session_->is_lost())) forget_session();
  if (session_ || (!is_stored() && create_session())) return;
  hold(host_.sessions().open(place_.session));
}

/// Puts the session on disk before any tool is called: a tool may do what can't be done again, and who else
/// wants the session is known only then. False where another process has been first.
bool SessionAgent::create_session() {
  try {
    hold(host_.sessions().create(place_.session));
    turn_->begin();
    return true;
  } catch (const Error &) {
    if (session_) forget_session();
    if (!is_stored()) throw;
    return false;
  } catch (const std::bad_alloc &) {
    if (session_) forget_session();
    throw;
  }
}

void SessionAgent::hold(std::shared_ptr<Session> session) {
  session_ = std::move(session);
  turn_.emplace(host_.tools(), *session_, CallerName{"mcp", client_.empty() ? "unknown" : client_});
}

void SessionAgent::forget_session() {
  turn_.reset();
  host_.sessions().dispose(place_.session);
  session_.reset();
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

/// Has the plan in the log become another since this was last asked? Looks only where it may have.
bool SessionAgent::log_changed() {
  changed_ = watch_.changed() || changed_;
  if (seen_ && !changed_) return false;
  while (watch_.watch(directories())) {
  }
  Standing now;
  try {
    now = read_log();
  } catch (const Error &error) {
    now.todos = error.text();  // which whoever reads the plan is told
  } catch (const std::bad_alloc &) {
    return false;  // it is looked for again with the next request
  }
  const bool changed = seen_ && *seen_ != now;
  seen_ = std::move(now);
  changed_ = false;
  return changed;
}

std::vector<std::filesystem::path> SessionAgent::directories() const {
  try {
    return place_.sessions->directories(place_.session);
  } catch (const Error &) {
    return {};  // an id that can't be stored
  }
}

SessionAgent::Watch SessionAgent::watch() const {
  return is_durable() ? Watch{watch_.descriptor(), watch_.timeout()} : Watch{};
}

void SessionAgent::greet(const std::string &client) { client_ = client; }

void SessionAgent::close() {
  if (turn_ && !session_->is_lost()) turn_->close();  // what is gone has no turn to end
}

}  // namespace dsh::loader
