#include "log/audit_targets.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "log/byte_source.hpp"
#include "log/log_search.hpp"
#include "log/zstd_source.hpp"
#include "text/advised_error.hpp"
#include "text/error.hpp"

namespace dsh::loader {
namespace {

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
                   std::string_view(magic.data(), magic.size()) == zstd_magic;
  return log;
}

bool is_project_name(std::string_view name) {
  return name == "_no-cwd" || (name.size() > 4 && name.starts_with("--") && name.ends_with("--"));
}

/// Does the log lie where a session's log lies: in a directory of a directory with a project's name?
bool in_project(const LogFile &log) {
  return is_project_name(std::filesystem::path(directory_of(log)).parent_path().filename().string());
}

/// Is the directory a root? Its projects tell by their names, whether they can be read or not.
bool holds_projects(FileOps &ops, const std::string &directory) {
  if (is_project_name(base_name(directory))) return false;
  std::vector<std::string> names;
  return ops.list(directory.c_str(), names) == 0 && std::any_of(names.begin(), names.end(), is_project_name);
}

/// The directory under a path that ends in its name, which tells what it holds: `.`, `..` and links don't.
std::string under_its_name(std::string path) {
  std::error_code unknown;  // then the path stays, and reading it tells what is wrong
  const std::string real = std::filesystem::canonical(path, unknown).string();
  return unknown || base_name(real) == base_name(path) ? path : real;
}

/// Nothing can be said of what was asked for by name and can't be opened.
void require_readable(FileOps &ops, const std::string &path, const struct ::stat &status) {
  std::vector<std::string> names;
  const bool readable = S_ISDIR(status.st_mode)   ? ops.list(path.c_str(), names) == 0
                        : S_ISREG(status.st_mode) ? static_cast<bool>(open_file(ops, path, O_RDONLY))
                                                  : true;  // what else it is, reading tells
  if (!readable) throw_errno("can't audit " + path);
}

}  // namespace

std::vector<AuditTarget> find_audit_targets(const std::string &given, FileOps &ops) {
  std::string path = without_trailing_slashes(given);
  struct ::stat status {};
  if (ops.stat(path.c_str(), &status) != 0) throw_errno("can't audit " + path);
  if (S_ISDIR(status.st_mode)) path = under_its_name(std::move(path));
  require_readable(ops, path, status);
  if (!S_ISDIR(status.st_mode)) {
    LogFile log = log_at(ops, path);
    const bool placed = in_project(log);
    return {{std::move(log), placed, {}, {}}};
  }
  try {
    if (auto log = find_log(ops, path, NamedLikeLogs::passed_over)) return {{*log, in_project(*log), {}, {}}};
  } catch (const Error &error) {
    return {{LogFile{path, -1, false}, false, error.text(), {}}};
  }
  // Each is tried, for directories that were renamed.
  const bool root = holds_projects(ops, path);
  auto places = root ? sessions_of_root(ops, path) : sessions_of_project(ops, path);
  if (places.empty()) places = root ? sessions_of_project(ops, path) : sessions_of_root(ops, path);
  std::vector<AuditTarget> targets;
  for (SessionPlace &place : places)
    if (place.problem.empty())
      targets.push_back({std::move(place.log), true, {}, std::move(place.other_names)});
    else
      targets.push_back({LogFile{place.directory, -1, false}, false, std::move(place.problem), {}});
  if (targets.empty()) {
    find_log(ops, path);  // what is there in its place
    throw AdvisedError(
        "no session log in " + path,
        "of a directory, session.jsonl and its kin are looked for; name other files one by one");
  }
  return targets;
}

}  // namespace dsh::loader
