// Noticing that files change, without looking at them all the time.
#pragma once

#include <chrono>
#include <filesystem>
#include <set>
#include <vector>

#include "text/descriptor.hpp"

namespace dsh::loader {

/// The directories to watch for changes of a file: its own, and where it is a link those that the link leads
/// through and to.
std::vector<std::filesystem::path> directories_of(std::filesystem::path file);

/// Watches directories, and what lies directly in them, through the kernel. Where the kernel has no watches
/// left to give, it says every second that something may have changed.
class FileWatch {
 public:
  FileWatch();

  /// Watches these from now on, and nothing else; of a directory that does not exist, or can't be read, the
  /// nearest one above for which that is otherwise; of a link on the way to one, whether it leads elsewhere.
  /// True where something is watched that was not before: a change before that went unnoticed.
  bool watch(const std::vector<std::filesystem::path> &directories);

  /// Readable when something has changed; −1: none is to be had.
  int descriptor() const { return inotify_.get(); }
  /// How long to wait for that before changed() is to be asked all the same, as poll() has it; −1: where the
  /// kernel tells of everything.
  int timeout() const;

  /// Has something changed since this was last asked, or may it have since watch() was last called?
  bool changed();

 private:
  using Clock = std::chrono::steady_clock;

  Descriptor inotify_;
  std::set<int> watches_;
  bool has_all_ = true;
  Clock::time_point next_look_;  // where the kernel doesn't tell
};

}  // namespace dsh::loader
