// Which logs a path given to `audit` leads to.
#pragma once

#include <string>
#include <vector>

#include "log/file_ops.hpp"
#include "log/log_paths.hpp"

namespace dsh::loader {

/// A log to audit.
struct AuditTarget {
  LogFile file;
  bool check_directory = false;
  std::string problem;                   ///< not empty: the directory can't be audited, and why
  std::vector<std::string> other_names;  ///< paths under which the same file lies among the sessions
};

/// The logs at `path`: a log, a session's directory, a project's, or a whole root. Throws Error where
/// there is nothing to audit.
std::vector<AuditTarget> find_audit_targets(const std::string &path, FileOps &ops = system_file_ops());

}  // namespace dsh::loader
