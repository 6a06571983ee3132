// A plugin's file, opened and found trustworthy before any of its code runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "text/descriptor.hpp"

namespace dsh::loader {

/// Which file, and which state of it.
struct FileIdentity {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size = 0;           ///< bytes
  std::int64_t modified = 0;        ///< nanoseconds since the epoch
  std::int64_t status_changed = 0;  ///< nanoseconds since the epoch

  bool same_file(const FileIdentity &other) const { return device == other.device && inode == other.inode; }
  bool operator==(const FileIdentity &) const = default;
};

/// A regular file held open: what is checked here is what gets mapped later. Any thread, once opened.
class LibraryFile {
 public:
  /// Opens `path`, following symbolic links. Trusted means: the file, its directory and every
  /// directory above belong to root or to this process's user, and nobody else may write to them
  /// (a sticky directory such as /tmp aside). Throws Error, which says what to change.
  static LibraryFile open_trusted(const std::filesystem::path &path);

  /// Opens `path` without asking who could have written it.
  static LibraryFile open(const std::filesystem::path &path);

  const std::filesystem::path &path() const { return path_; }  ///< absolute, without symbolic links
  FileIdentity identity() const;                               ///< as of now
  /// Does path() still lead to this file?
  bool is_in_place() const;
  int descriptor() const { return descriptor_.get(); }  ///< for reading; stays ours

 private:
  LibraryFile(std::filesystem::path path, Descriptor descriptor);

  std::filesystem::path path_;
  Descriptor descriptor_;
};

}  // namespace dsh::loader
