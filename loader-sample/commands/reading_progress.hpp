// The system calls of a log, told to a progress line.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "commands/progress.hpp"
#include "log/file_ops.hpp"

namespace dsh::loader {

/// Passes every call on, and shows how far the file opened last has been read from its start on, until its
/// end or its closing. One thread; `ops` outlives it.
class ReadingProgress final : public FileOps {
 public:
  explicit ReadingProgress(FileOps &ops = system_file_ops(),
                           std::function<Progress::Clock::time_point()> now = Progress::Clock::now)
      : ops_(ops), progress_(std::move(now)) {}

  /// Before anything else is written to the terminal.
  void wipe() { progress_.wipe(); }

  int open(const char *path, int flags, unsigned mode) override;
  int close(int fd) override;
  long pread(int fd, void *to, std::size_t size, std::int64_t offset) override;

  long write(int fd, const void *from, std::size_t size) override { return ops_.write(fd, from, size); }
  int fsync(int fd) override { return ops_.fsync(fd); }
  int fdatasync(int fd) override { return ops_.fdatasync(fd); }
  int ftruncate(int fd, std::int64_t size) override { return ops_.ftruncate(fd, size); }
  int fstat(int fd, struct ::stat *to) override { return ops_.fstat(fd, to); }
  int stat(const char *path, struct ::stat *to) override { return ops_.stat(path, to); }
  int flock(int fd, int operation) override { return ops_.flock(fd, operation); }
  int link(const char *from, const char *to) override { return ops_.link(from, to); }
  int unlink(const char *path) override { return ops_.unlink(path); }
  int mkdir(const char *path, unsigned mode) override { return ops_.mkdir(path, mode); }
  int list(const char *path, std::vector<std::string> &names) override { return ops_.list(path, names); }

 private:
  FileOps &ops_;
  Progress progress_;
  int fd_ = -1;
  std::string path_;
  std::uint64_t done_ = 0;
  std::uint64_t size_ = 0;
};

}  // namespace dsh::loader
