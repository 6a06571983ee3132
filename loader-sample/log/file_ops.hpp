// The system calls of the durable log, behind one thin seam: tests make the nth of them fail or fall
// short, count what was read, or record a trace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "text/system_error.hpp"

struct stat;

namespace dsh::loader {

/// Each function is the system call of its name: the same arguments, the same result, errno on -1.
/// Paths are absolute or relative to the working directory. Any thread.
class FileOps {
 public:
  virtual ~FileOps() = default;

  virtual int open(const char *path, int flags, unsigned mode) = 0;
  virtual int close(int fd) = 0;
  virtual long pread(int fd, void *to, std::size_t size, std::int64_t offset) = 0;
  virtual long write(int fd, const void *from, std::size_t size) = 0;
  virtual int fsync(int fd) = 0;
  virtual int fdatasync(int fd) = 0;
  virtual int ftruncate(int fd, std::int64_t size) = 0;
  virtual int fstat(int fd, struct ::stat *to) = 0;
  virtual int stat(const char *path, struct ::stat *to) = 0;
  virtual int flock(int fd, int operation) = 0;
  virtual int link(const char *from, const char *to) = 0;
  virtual int unlink(const char *path) = 0;
  virtual int mkdir(const char *path, unsigned mode) = 0;
  /// The names in a directory but `.` and `..`, sorted; -1 and errno when it can't be read.
  virtual int list(const char *path, std::vector<std::string> &names) = 0;
};

/// The real ones.
FileOps &system_file_ops();

bool is_same_file(const struct ::stat &one, const struct ::stat &other);

/// An open descriptor, closed at the end of its life.
class File {
 public:
  File() = default;
  File(FileOps &ops, int fd) : ops_(&ops), fd_(fd) {}
  File(File &&other) noexcept : ops_(other.ops_), fd_(std::exchange(other.fd_, -1)) {}
  File &operator=(File &&other) noexcept {
    std::swap(ops_, other.ops_);
    std::swap(fd_, other.fd_);
    return *this;
  }
  File(const File &) = delete;
  File &operator=(const File &) = delete;
  ~File();

  explicit operator bool() const { return fd_ >= 0; }
  int fd() const { return fd_; }

 private:
  FileOps *ops_ = nullptr;
  int fd_ = -1;
};

/// Opens a file (never for a program that is started), again where a signal came between. No file, and
/// errno, where that fails.
File open_file(FileOps &ops, const std::string &path, int flags, unsigned mode = 0);

/// `what`, then what errno means, with advice for those whose sessions these are.
[[noreturn]] void throw_errno(const std::string &what);

}  // namespace dsh::loader
