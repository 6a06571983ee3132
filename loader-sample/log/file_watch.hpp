// Noticing that files change, without looking at them all the time.
#pragma once

#include <filesystem>
#include <set>
#include <vector>

#include "text/descriptor.hpp"

namespace dsh::loader {

/// The directories to watch for changes of a file: its own, and where it is a link those that the link leads
/// through and to.
std::vector<std::filesystem::path> directories_of(std::filesystem::path file);

/// Watches directories, and what lies directly in them, through the kernel. Where the kernel has no watches
/// left to give, has_all() is false, and one has to look for oneself now and then.
class FileWatch {
 public:
  FileWatch();

  /// Watches these from now on, and nothing else; of a directory that does not exist, or can't be read, the
  /// nearest one above for which that is otherwise; of a link on the way to one, whether it leads elsewhere.
  /// True where something is watched that was not before: a change before that went unnoticed.
  bool watch(const std::vector<std::filesystem::path> &directories);

  bool has_all() const { return has_all_; }

  /// Readable when something has changed; −1: there is no such thing.
  int descriptor() const { return inotify_.get(); }

  /// Forgets the changes so far.
  void drain() const;

 private:
  Descriptor inotify_;
  std::set<int> watches_;
  bool has_all_ = true;
};

}  // namespace dsh::loader
