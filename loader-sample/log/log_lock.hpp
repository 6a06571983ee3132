// The locks that keep processes apart: one writes a log, one publishes a new log under a root.
#pragma once

#include <chrono>
#include <string>

#include "log/file_ops.hpp"

namespace dsh::loader {

/// Locks an open file for this descriptor, until it is closed; false where another one holds it. Throws Error
/// where that can't be told.
bool try_to_lock(FileOps &ops, const File &file, const std::string &path);

/// Locks an open log for this descriptor, until it is closed. Throws Error when another one holds it,
/// naming that process as far as the system tells.
void lock_log(FileOps &ops, const File &file, const std::string &path);

/// The turn to publish a log under a root, held while this lives: between two that have it, one after the
/// other, the later sees what the earlier published, in whatever project directory.
class PublishingTurn {
 public:
  /// Waits for its turn; nobody keeps it for longer than a look over the projects and a link take, unless he
  /// is stopped meanwhile. Throws Error once its patience is at an end, naming the process that kept it from
  /// the first moment to the last, if one did.
  PublishingTurn(FileOps &ops, const std::string &root,
                 std::chrono::milliseconds patience = std::chrono::seconds(5));

 private:
  File directory_;
};

}  // namespace dsh::loader
