#include "commands/stored_sessions.hpp"

#include <filesystem>

#include "log/log_search.hpp"

namespace dsh::loader {

std::optional<LogFile> StoredSessions::log(const std::string &id) const {
  if (!cwd_) return storage_.stored(id);
  auto log = find_log(ops_, session_directory(storage_.root(), cwd_, id));
  if (log) require_cwd(*log, id, *cwd_, ops_);
  return log;
}

std::string StoredSessions::directory(const std::string &id) const {
  if (!cwd_) {
    if (const auto logs = find_session(ops_, storage_.root(), id); !logs.empty())
      return std::filesystem::path(logs.front().path).parent_path().string();
  }
  return session_directory(storage_.root(), cwd_, id);
}

bool StoredSessions::includes(const SessionEntry &session) const {
  if (!cwd_) return true;
  if (session.cwd) return *session.cwd == *cwd_;
  const auto project = std::filesystem::path(session.directory).parent_path().filename();
  return project == project_directory_name(cwd_);
}

}  // namespace dsh::loader
