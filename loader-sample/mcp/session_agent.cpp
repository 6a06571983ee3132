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
    open_session();
    ToolResult result = turn_->call(name, arguments);
    const bool taken =
        session_->size() == 0 && place_.storage != nullptr && place_.storage->exists(place_.session);
    if (!taken) return result;
    // Nothing could be written, since another process has created the session meanwhile: the call was not
    // in any log, and is made again in that one.
    forget_session();
    open_session();
    return turn_->call(name, arguments);
  } catch (const Error &error) {
    return failed_call(error);
  }
}

void SessionAgent::open_session() {
  if (session_) return;
  const bool stored = place_.storage != nullptr && place_.storage->exists(place_.session);
  session_ = stored ? host_.sessions().open(place_.session) : host_.sessions().create(place_.session);
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
  std::int64_t seq = -1;
  try {
    if (const auto log = find_log(system_file_ops(), place_.directory))
      directories = directories_of(log->path);
  } catch (const Error &) {
    // whoever reads the plan is told
  }
  watch_.watch(directories);
  watch_.drain();
  try {
    seq = read_log().seq;
  } catch (const Error &) {
    return false;  // whoever reads the plan is told
  }
  return std::exchange(seen_, seq).value_or(seq) != seq;
}

int SessionAgent::watch_descriptor() const {
  return session_ || place_.storage == nullptr ? -1 : watch_.descriptor();
}

void SessionAgent::greet(const std::string &client) { client_ = client; }

void SessionAgent::close() {
  if (turn_) turn_->close();
}

}  // namespace dsh::loader
