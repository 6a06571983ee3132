// System calls that fail on command.
#pragma once

#include <sys/stat.h>

#include <cerrno>
#include <cstdint>
#include <string>
#include <vector>

#include "log/file_ops.hpp"

namespace dsh::loader {

/// Which calls fail, and how. Calls are counted from 0; close is never made to fail.
struct Fault {
  std::int64_t first = -1;  ///< -1: none
  std::int64_t count = 1;   ///< this one and the following
  int error = 0;            ///< errno; 0: a read or write falls short by half (a single byte fails with EIO)
};

class FaultOps : public FileOps {
 public:
  explicit FaultOps(FileOps &real) : real_(real) {}

  /// From now on, with the count at 0.
  void set(const Fault &fault) {
    fault_ = fault;
    calls_ = 0;
  }
  /// While paused calls neither fail nor count.
  void pause(bool paused) { paused_ = paused; }
  std::int64_t calls() const { return calls_; }
  /// The last call that was made to fail: "fdatasync".
  const std::string &last() const { return last_; }

  int open(const char *path, int flags, unsigned mode) override {
    return hit("open") ? fail() : real_.open(path, flags, mode);
  }
  int close(int fd) override { return real_.close(fd); }
  long pread(int fd, void *to, std::size_t size, std::int64_t offset) override {
    if (!hit("pread")) return real_.pread(fd, to, size, offset);
    return fault_.error == 0 && size > 1 ? real_.pread(fd, to, size / 2, offset) : fail();
  }
  long write(int fd, const void *from, std::size_t size) override {
    if (!hit("write")) return real_.write(fd, from, size);
    return fault_.error == 0 && size > 1 ? real_.write(fd, from, size / 2) : fail();
  }
  int fsync(int fd) override { return hit("fsync") ? fail() : real_.fsync(fd); }
  int fdatasync(int fd) override { return hit("fdatasync") ? fail() : real_.fdatasync(fd); }
  int ftruncate(int fd, std::int64_t size) override {
    return hit("ftruncate") ? fail() : real_.ftruncate(fd, size);
  }
  int fstat(int fd, struct ::stat *to) override { return hit("fstat") ? fail() : real_.fstat(fd, to); }
  int stat(const char *path, struct ::stat *to) override {
    return hit("stat") ? fail() : real_.stat(path, to);
  }
  int flock(int fd, int operation) override { return hit("flock") ? fail() : real_.flock(fd, operation); }
  int link(const char *from, const char *to) override { return hit("link") ? fail() : real_.link(from, to); }
  int unlink(const char *path) override { return hit("unlink") ? fail() : real_.unlink(path); }
  int mkdir(const char *path, unsigned mode) override {
    return hit("mkdir") ? fail() : real_.mkdir(path, mode);
  }
  int list(const char *path, std::vector<std::string> &names) override {
    return hit("list") ? fail() : real_.list(path, names);
  }

 private:
  bool hit(const char *name) {
    if (paused_) return false;
    const std::int64_t call = calls_++;
    const bool hit = fault_.first >= 0 && call >= fault_.first && call < fault_.first + fault_.count;
    if (hit) last_ = name;
    return hit;
  }
  int fail() const {
    errno = fault_.error == 0 ? EIO : fault_.error;
    return -1;
  }

  FileOps &real_;
  Fault fault_;
  std::int64_t calls_ = 0;
  bool paused_ = false;
  std::string last_;
};

}  // namespace dsh::loader
