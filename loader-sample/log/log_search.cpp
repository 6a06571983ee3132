#include "log/log_search.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
#include <map>
#include <utility>

#include "log/byte_source.hpp"
#include "log/log_reader.hpp"
#include "log/place_rules.hpp"
#include "text/error.hpp"

namespace dsh::loader {
namespace {

std::vector<SessionPlace> places_in_project(FileOps &ops, const std::string &directory) {
  std::vector<std::string> names;
  if (ops.list(directory.c_str(), names) != 0) throw_errno("can't read the directory " + directory);
  std::vector<SessionPlace> places;
  for (std::string &name : names) {
    SessionPlace place{base_name(directory), std::move(name), {}, {}, {}, {}};
    place.directory = directory + "/" + place.name;
    try {
      if (!is_directory(ops, place.directory)) continue;
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

/// Does the log lie where its header says?
bool is_in_its_place(FileOps &ops, const LogFile &log) {
  try {
    LogSource source(log, ops);
    return !directory_problem(log, LogReader(source.bytes()).header());
  } catch (const Error &) {
    return false;
  }
}

/// Leaves one place of those that lead to one file: the first that fits its header, else the first.
std::vector<SessionPlace> one_of_each_file(FileOps &ops, std::vector<SessionPlace> places) {
  if (places.size() < 2) return places;
  std::vector<SessionPlace> kept;
  std::map<std::pair<dev_t, ino_t>, std::size_t> by_file;
  for (SessionPlace &place : places) {
    struct ::stat status {};
    if (!place.problem.empty() || ops.stat(place.log.path.c_str(), &status) != 0) {
      kept.push_back(std::move(place));  // reading it tells what is wrong
      continue;
    }
    const auto [known, is_new] = by_file.try_emplace({status.st_dev, status.st_ino}, kept.size());
    if (is_new) {
      kept.push_back(std::move(place));
      continue;
    }
    SessionPlace &first = kept[known->second];
    if (!is_in_its_place(ops, first.log) && is_in_its_place(ops, place.log)) {
      place.other_names = std::move(first.other_names);
      std::swap(first, place);
    }
    first.other_names.push_back(place.log.path);
  }
  return kept;
}

/// Is that a project of another user, who lets nobody see which sessions it holds? Under a root that users
/// share, those of others are none of ours. One that is our own has to be mended.
bool is_closed_to_us(FileOps &ops, const std::string &project, const std::string &session) {
  struct ::stat status {};
  if (ops.stat(session.c_str(), &status) == 0 || (errno != EACCES && errno != EPERM)) return false;
  return ops.stat(project.c_str(), &status) == 0 && status.st_uid != ::geteuid();
}

}  // namespace

std::vector<LogFile> find_session(FileOps &ops, const std::string &root, std::string_view id) {
  const std::string name = session_directory_name(id);
  std::vector<std::string> projects;
  if (ops.list(root.c_str(), projects) != 0) {
    if (errno == ENOENT) return {};
    throw_errno("can't read the sessions' directory " + root);
  }
  std::vector<SessionPlace> places;
  std::exception_ptr unreadable;
  for (const std::string &project : projects) {
    SessionPlace place{project, name, root + "/" + project + "/" + name, {}, {}, {}};
    try {
      auto log = find_log(ops, place.directory);
      if (!log) continue;
      place.log = *std::move(log);
      places.push_back(std::move(place));
    } catch (const Error &) {
      std::vector<std::string> names;
      if (ops.list(place.directory.c_str(), names) == 0) throw;  // it is there
      if (!unreadable && !is_closed_to_us(ops, root + "/" + project, place.directory))
        unreadable = std::current_exception();
    }
  }
  if (places.empty() && unreadable) std::rethrow_exception(unreadable);
  std::vector<LogFile> found;
  for (SessionPlace &place : one_of_each_file(ops, std::move(places))) found.push_back(std::move(place.log));
  return found;
}

std::vector<SessionPlace> sessions_of_project(FileOps &ops, const std::string &directory) {
  return one_of_each_file(ops, places_in_project(ops, directory));
}

std::vector<SessionPlace> sessions_of_root(FileOps &ops, const std::string &root) {
  std::vector<std::string> projects;
  if (ops.list(root.c_str(), projects) != 0) throw_errno("can't read the directory " + root);
  std::vector<SessionPlace> places;
  for (const std::string &project : projects) {
    const std::string directory = root + "/" + project;
    try {
      if (!is_directory(ops, directory)) continue;
      for (SessionPlace &place : places_in_project(ops, directory)) places.push_back(std::move(place));
    } catch (const Error &error) {
      SessionPlace &unreadable = places.emplace_back();
      unreadable.project = project;
      unreadable.directory = directory;
      unreadable.problem = error.text();
    }
  }
  return one_of_each_file(ops, std::move(places));
}

}  // namespace dsh::loader
