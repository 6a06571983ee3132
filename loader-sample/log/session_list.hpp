// Every session under a root, good and damaged alike.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "log/file_ops.hpp"
#include "log/log_audit.hpp"

namespace dsh::loader {

struct SessionEntry {
  std::string id;         ///< from the header; from the directory's name where there is no sound header
  std::string directory;  ///< path
  std::optional<std::string> cwd;
  bool damaged = false;
  std::string error;        ///< why, where damaged
  bool doubled = false;     ///< it lies in several project directories: only its `cwd` tells which is meant
  std::int64_t events = 0;  ///< that a reader accepts
  std::int64_t last_time = 0;  ///< of the last event, milliseconds since the epoch; 0: none
};

/// Calls each(entry) for every session of the root, in the order of its directories. Before the events
/// of a session are read, `begin` is called with what its place says of it, and `fold` then for each event
/// that a reader accepts. A root that doesn't exist has no sessions.
void list_sessions(const std::string &root, const std::function<void(const SessionEntry &)> &begin,
                   const std::function<void(const Event &)> &fold,
                   const std::function<void(const SessionEntry &)> &each, FileOps &ops = system_file_ops());

}  // namespace dsh::loader
