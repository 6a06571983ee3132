#include "mcp/session_agent.hpp"

#include <utility>

#include "agent/plan_fold.hpp"
#include "log/durable_storage.hpp"
#include "text/error.hpp"

namespace dsh::loader {

SessionAgent::SessionAgent(PluginHost &host, Place place) : host_(host), place_(std::move(place)) {
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
  } catch (const Error &error) {
    result = failed_call(error);
  }
  if (session_ && session_->size() == 0) forget_session();
  return result;
}

bool SessionAgent::is_stored() const {
  return place_.storage != nullptr && place_.storage->exists(place_.session);
}

void SessionAgent::open_session() {
  if (session_) return;
  session_ = is_stored() ? host_.sessions().open(place_.session) : host_.sessions().create(place_.session);
  turn_.emplace(host_.tools(), *session_, CallerName{"mcp", client_.empty() ? "unknown" : client_});
}

void SessionAgent::forget_session() {
  turn_.reset();
  session_.reset();
  host_.sessions().dispose(place_.session);
}

std::string SessionAgent::plan() { return session_ ? standing_plan(host_, *session_) : read_log().todos; }

SessionAgent::Standing SessionAgent::read_log() {
  if (place_.storage == nullptr) return {};
  const auto log = find_log(system_file_ops(), place_.directory);
  if (!log) return {};
  if (place_.cwd) require_cwd(*log, place_.session, *place_.cwd);
  if (!reader_) reader_.emplace(host_);
  reader_->read(*log);
  const PlanFold &plan = reader_->standing();
  if (const std::string problem = plan.problem(); !problem.empty()) throw Error(problem);
  Standing standing{plan.json(), reader_->set_by()};
  if (standing.todos == "null") standing.seq = -1;
  return standing;
}

bool SessionAgent::plan_changed() {
  const bool by_others = !session_ && place_.storage != nullptr && log_changed();
  return std::exchange(changed_, false) || by_others;
}

/// Has another process set the plan since this was last asked?
bool SessionAgent::log_changed() {
  std::vector<std::filesystem::path> directories{place_.directory};
  try {
    if (const auto log = find_log(system_file_ops(), place_.directory))
      directories = directories_of(log->path);
  } catch (const Error &) {
    // whoever reads the plan is told
  }
  watch_.watch(directories);
  watch_.drain();
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

int SessionAgent::watch_descriptor() const {
  return session_ || place_.storage == nullptr ? -1 : watch_.descriptor();
}

void SessionAgent::greet(const std::string &client) { client_ = client; }

void SessionAgent::close() {
  if (turn_) turn_->close();
}

}  // namespace dsh::loader
