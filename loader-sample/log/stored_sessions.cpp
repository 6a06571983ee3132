#include "log/stored_sessions.hpp"

#include <utility>

#include "log/file_watch.hpp"
#include "text/error.hpp"

namespace dsh::loader {

std::vector<std::filesystem::path> StoredSessions::directories(const std::string &id) const {
  std::vector<std::string> places;
  std::vector<std::filesystem::path> watched;
  if (cwd_) {
    places.push_back(session_directory(storage_.root(), cwd_, id));
  } else {
    watched.emplace_back(storage_.root());
    std::vector<std::string> projects;
    (void)ops_.list(storage_.root().c_str(), projects);  // where that fails, whoever reads the log is told
    const std::string name = session_directory_name(id);
    for (const std::string &project : projects)
      places.push_back(storage_.root() + "/" + project + "/" + name);
  }
  for (const std::string &place : places) {
    watched.emplace_back(place);
    try {
      const auto log = find_log(ops_, place);
      if (!log) continue;
      for (auto &directory : directories_of(log->path)) watched.push_back(std::move(directory));
    } catch (const Error &) {
      continue;  // whoever reads the log is told
    }
  }
  return watched;
}

bool StoredSessions::includes(const SessionEntry &session) const {
  if (!cwd_) return true;
  if (session.cwd) return *session.cwd == *cwd_;
  const auto project = std::filesystem::path(session.directory).parent_path().filename();
  return project == project_directory_name(cwd_);
}

}  // namespace dsh::loader
