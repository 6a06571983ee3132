// The file that holds a new log until it is published, and what a kill leaves of it.
#pragma once

#include <string>

#include "log/file_ops.hpp"

namespace dsh::loader {

struct TemporaryLog {
  File file;
  std::string path;
};

/// A new file beside `log`, under a name of its own (two processes that create one session must not share
/// it), locked for its descriptor: who publishes it is the log's writer. Throws Error, no file left.
TemporaryLog make_temporary_log(FileOps &ops, const std::string &log);

/// Removes those beside `log` that no process holds: it was killed before it could. One that is a second
/// name of `held`, the log that the caller has locked, goes too. What can't be removed stays: it harms
/// nobody.
void remove_stale_temporaries(FileOps &ops, const std::string &log, const struct ::stat *held);

}  // namespace dsh::loader
