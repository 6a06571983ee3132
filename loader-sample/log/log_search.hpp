// Which logs lie in a directory tree that keeps sessions.
#pragma once

#include <string>
#include <vector>

#include "log/file_ops.hpp"
#include "log/log_paths.hpp"

namespace dsh::loader {

/// A session's directory.
struct SessionPlace {
  std::string project;  ///< names, not paths
  std::string name;
  std::string directory;  ///< path
  LogFile log;            ///< without a path where there is a problem
  std::string problem;    ///< why its log can't be told
};

/// The sessions in a project's directory, and those of all projects of a root. Directories without a
/// log are none. Throws Error where the directory itself can't be read.
std::vector<SessionPlace> sessions_of_project(FileOps &ops, const std::string &directory);
std::vector<SessionPlace> sessions_of_root(FileOps &ops, const std::string &root);

}  // namespace dsh::loader
