// Where a session lies under a root: <root>/<project>/<session>/session.jsonl.
//
// Ids and working directories are data: whatever they hold, the names made of them are single path
// components of A-Z a-z 0-9 . _ - ~, so that no path leaves the root.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "text/error.hpp"

namespace dsh::loader {

class FileOps;

/// The name of a session's directory: the id by UTF-16 unit, A-Za-z0-9._- kept, any other as `~XXXX`.
/// Different ids have different names. Throws Error for an empty id, one that is no WTF-8, and one
/// whose name would be longer than a path component may be (255 bytes).
std::string session_directory_name(std::string_view id);

/// The name of the project directory of `cwd` (none: `_no-cwd`). Different directories may share it:
/// separators are folded, long names cut. Throws Error for an empty cwd and one that is no WTF-8.
std::string project_directory_name(const std::optional<std::string> &cwd);

/// <root>/<project>/<session>
std::string session_directory(const std::string &root, const std::optional<std::string> &cwd,
                              std::string_view id);

/// One of the log files that may lie in a session's directory.
struct LogFile {
  std::string path;
  int generation = 0;       ///< the format that its name tells: session.jsonl is 0, session.v3.jsonl is 3
  bool compressed = false;  ///< .zstd
};

/// What a file name says, if it is that of a log: session.jsonl, session.v1.jsonl, … each also .zstd.
std::optional<LogFile> parse_log_name(std::string_view name);

bool is_directory(FileOps &ops, const std::string &path);

/// The log of a session's directory: that of the highest generation, older ones are no fallback. None
/// when there is none. Throws Error when that generation lies there raw and compressed.
std::optional<LogFile> find_log(FileOps &ops, const std::string &directory);

/// `error`, its text with the file's path where it lacks that.
Error naming(const LogFile &file, const Error &error);

/// The logs of session `id` in all project directories of the root, in their order.
std::vector<LogFile> find_session(FileOps &ops, const std::string &root, std::string_view id);

}  // namespace dsh::loader
