// The lock that makes a process the only writer of a log.
#pragma once

#include <string>

#include "log/file_ops.hpp"

namespace dsh::loader {

/// Locks an open file for this descriptor, until it is closed; false where another one holds it. Throws Error
/// where that can't be told.
bool try_to_lock(FileOps &ops, const File &file, const std::string &path);

/// Locks an open log for this descriptor, until it is closed. Throws Error when another one holds it,
/// naming that process as far as the system tells.
void lock_log(FileOps &ops, const File &file, const std::string &path);

}  // namespace dsh::loader
