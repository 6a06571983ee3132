// That an id is free for a new session, and what refuses one that isn't.
#pragma once

#include <optional>
#include <string>

#include "log/file_ops.hpp"
#include "log/log_paths.hpp"

namespace dsh::loader {

/// The directory that the session of `log` belongs to. Throws Error where the log has no sound header.
std::optional<std::string> cwd_of(FileOps &ops, const LogFile &log);

/// Session `id` of `stored` is not one of `wanted`: an Error that names both.
[[noreturn]] void throw_other_cwd(const std::string &id, const std::optional<std::string> &stored,
                                  const std::optional<std::string> &wanted);

/// Throws Error where a log of session `id` lies in any project directory of the root, sound or not: that it
/// belongs to another directory than `cwd`, or `session "x" already exists`.
void require_new(FileOps &ops, const std::string &root, const std::string &id,
                 const std::optional<std::string> &cwd);

}  // namespace dsh::loader
