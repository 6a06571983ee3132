#include "log/log_search.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>

#include "log/byte_source.hpp"
#include "log/log_audit.hpp"
#include "text/error.hpp"

namespace dsh::loader {
namespace {

std::string base_name(const std::string &path) { return path.substr(path.find_last_of('/') + 1); }

std::string without_trailing_slashes(std::string path) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  return path;
}

/// A log under any name: packed if it looks so.
LogFile log_at(FileOps &ops, const std::string &path) {
  if (auto named = parse_log_name(base_name(path))) {
    named->path = path;
    return *named;
  }
  LogFile log{path, -1, false};
  const OpenedFile opened = open_for_reading(ops, path);
  std::array<char, 4> magic{};
  RawSource source(ops, opened.file, path);
  log.compressed = source.read(magic.data(), magic.size()) == magic.size() &&
                   std::string_view(magic.data(), magic.size()) == "\x28\xB5\x2F\xFD";
  return log;
}

/// Does the log lie where a session's log lies: in a directory of a directory with a project's name?
bool in_project(const std::string &path) {
  const std::size_t name = path.find_last_of('/');
  if (name == std::string::npos || name == 0) return false;
  const std::size_t session = path.find_last_of('/', name - 1);
  if (session == std::string::npos || session == 0) return false;
  const std::string project = base_name(path.substr(0, session));
  return project == "_no-cwd" || (project.size() > 4 && project.starts_with("--") && project.ends_with("--"));
}

}  // namespace

std::vector<SessionPlace> sessions_of_project(FileOps &ops, const std::string &directory) {
  std::vector<std::string> names;
  if (ops.list(directory.c_str(), names) != 0) throw_errno("can't read the directory " + directory);
  std::vector<SessionPlace> places;
  for (std::string &name : names) {
    SessionPlace place{base_name(directory), std::move(name), {}, {}, {}};
    place.directory = directory + "/" + place.name;
    if (!is_directory(ops, place.directory)) continue;
    try {
      auto log = find_log(ops, place.directory);
      if (!log) continue;
      place.log = *std::move(log);
    } catch (const Error &error) {
      place.problem = error.text();
    }
    places.push_back(std::move(place));
  }
  return places;
}

std::vector<SessionPlace> sessions_of_root(FileOps &ops, const std::string &root) {
  std::vector<std::string> projects;
  if (ops.list(root.c_str(), projects) != 0) throw_errno("can't read the directory " + root);
  std::vector<SessionPlace> places;
  for (const std::string &project : projects) {
    const std::string directory = root + "/" + project;
    if (!is_directory(ops, directory)) continue;
    try {
      for (SessionPlace &place : sessions_of_project(ops, directory)) places.push_back(std::move(place));
    } catch (const Error &error) {
      SessionPlace &unreadable = places.emplace_back();
      unreadable.project = project;
      unreadable.directory = directory;
      unreadable.problem = error.text();
    }
  }
  return places;
}

std::vector<AuditTarget> find_audit_targets(const std::string &given, FileOps &ops) {
  const std::string path = without_trailing_slashes(given);
  struct ::stat status {};
  if (ops.stat(path.c_str(), &status) != 0) throw_errno("can't audit " + path);
  if (!S_ISDIR(status.st_mode)) return {{log_at(ops, path), in_project(path), {}}};
  std::vector<AuditTarget> targets;
  try {
    if (auto log = find_log(ops, path)) {
      return {{*log, in_project(log->path), {}}};
    }
  } catch (const Error &error) {
    return {{LogFile{path, -1, false}, false, error.text()}};
  }
  auto places = sessions_of_project(ops, path);
  if (places.empty()) places = sessions_of_root(ops, path);
  for (SessionPlace &place : places) {
    if (place.problem.empty()) {
      targets.push_back({std::move(place.log), true, {}});
    } else {
      targets.push_back({LogFile{place.directory, -1, false}, false, std::move(place.problem)});
    }
  }
  if (targets.empty()) throw Error("no session log in " + path);
  return targets;
}

}  // namespace dsh::loader
