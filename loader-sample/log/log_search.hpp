// Which logs lie in a directory tree that keeps sessions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "log/file_ops.hpp"
#include "log/log_paths.hpp"

namespace dsh::loader {

/// A session's directory.
struct SessionPlace {
  std::string project;  ///< names, not paths
  std::string name;
  std::string directory;                 ///< path
  LogFile log;                           ///< without a path where there is a problem
  std::string problem;                   ///< why its log can't be told
  std::vector<std::string> other_names;  ///< paths of the same log
};

/// The sessions in a project's directory, and those of all projects of a root. Directories without a
/// log are none. A file that has several names, by links to it or to directories, is one session: that of
/// the name which fits its header. Throws Error where the directory itself can't be read.
std::vector<SessionPlace> sessions_of_project(FileOps &ops, const std::string &directory);
std::vector<SessionPlace> sessions_of_root(FileOps &ops, const std::string &root);

/// The logs of session `id` in all project directories of the root, in their order; of a file that has
/// several names, one. Projects that other users keep closed are passed over. Throws Error for an id that
/// can't be stored, and where none is found but another directory can't be read.
std::vector<LogFile> find_session(FileOps &ops, const std::string &root, std::string_view id);

}  // namespace dsh::loader
