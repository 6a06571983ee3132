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

/// The last name of a path.
std::string base_name(const std::string &path);

/// One of the log files that may lie in a session's directory.
struct LogFile {
  std::string path;
  int generation = 0;       ///< the format that its name tells: session.jsonl is 0, session.v3.jsonl is 3
                            ///< (the largest int: a larger number), -1: a name that tells none
  bool compressed = false;  ///< .zstd
};

/// The directory that a log lies in: absolute, and without `.` and `..`, whatever path leads to it.
std::string directory_of(const LogFile &log);

/// An id or a working directory for people, in quotes: of one as long as no file's name its start.
std::string in_quotes(std::string_view text);

/// What a file name says, if it is that of a log: session.jsonl, session.v1.jsonl, … each also .zstd.
std::optional<LogFile> parse_log_name(std::string_view name);

/// The format as the file's name spells it: its generation, of any size. For names that tell one.
std::string format_in_name(const LogFile &file);

/// False also where nothing is. Throws Error where that can't be told.
bool is_directory(FileOps &ops, const std::string &path);

/// Directories with the name of a log: out of place among a session's logs, but a session among others.
enum class NamedLikeLogs { refused, passed_over };

/// The log of a session's directory: that of the highest generation, older ones are no fallback. None
/// when there is none. Throws Error when that generation lies there raw and compressed, for a directory in
/// the place of a log, and where the directory can't be read.
std::optional<LogFile> find_log(FileOps &ops, const std::string &directory,
                                NamedLikeLogs directories = NamedLikeLogs::refused);

/// The text of an error, with the file's path where it lacks that.
std::string naming(const LogFile &file, const std::string &text);

/// Throws `error`, which is being handled, on: as it is where its text has the file's path, else with that.
[[noreturn]] void rethrow_naming(const LogFile &file, const Error &error);

}  // namespace dsh::loader
