// Whose a session is: that its id is free, that it belongs to the directory that is worked in.
#pragma once

#include <optional>
#include <string>

#include "log/file_ops.hpp"
#include "log/log_paths.hpp"

namespace dsh::loader {

/// The directory that the session of `log` belongs to. Throws Error, naming the file, where it has no sound
/// header.
std::optional<std::string> cwd_of(FileOps &ops, const LogFile &log);

/// Session `id` of `stored` is not one of `wanted`: an Error that names both.
[[noreturn]] void throw_other_cwd(const std::string &id, const std::optional<std::string> &stored,
                                  const std::optional<std::string> &wanted);

/// Throws Error, naming both, where the session of `log` belongs to another directory than `cwd`: they may
/// share a project directory. Throws Error where the log has no sound header.
void require_cwd(const LogFile &log, const std::string &id, const std::string &cwd, FileOps &ops);

/// Throws Error where a log of session `id` lies in any project directory of the root, sound or not: that it
/// belongs to another directory than `cwd`, or `session "x" already exists`.
void require_new(FileOps &ops, const std::string &root, const std::string &id,
                 const std::optional<std::string> &cwd);

}  // namespace dsh::loader
