#include "log/file_ops.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string_view>

#include "text/advised_error.hpp"

namespace dsh::loader {
namespace {

class SystemFileOps : public FileOps {
 public:
  int open(const char *path, int flags, unsigned mode) override { return ::open(path, flags, mode); }
  int close(int fd) override { return ::close(fd); }
  long pread(int fd, void *to, std::size_t size, std::int64_t offset) override {
    return ::pread(fd, to, size, offset);
  }
  long write(int fd, const void *from, std::size_t size) override { return ::write(fd, from, size); }
  int fsync(int fd) override { return ::fsync(fd); }
  int fdatasync(int fd) override { return ::fdatasync(fd); }
  int ftruncate(int fd, std::int64_t size) override { return ::ftruncate(fd, size); }
  int fstat(int fd, struct ::stat *to) override { return ::fstat(fd, to); }
  int stat(const char *path, struct ::stat *to) override { return ::stat(path, to); }
  int flock(int fd, int operation) override { return ::flock(fd, operation); }
  int link(const char *from, const char *to) override { return ::link(from, to); }
  int unlink(const char *path) override { return ::unlink(path); }
  int mkdir(const char *path, unsigned mode) override { return ::mkdir(path, mode); }

  int list(const char *path, std::vector<std::string> &names) override {
    const File directory = open_file(*this, path, O_RDONLY | O_DIRECTORY);
    if (!directory) return -1;
    names.clear();
    // Not by way of opendir(), which asks for more: a list is read for every session that is looked up.
    alignas(dirent64) std::array<char, 8192> entries;
    for (;;) {
      const ::ssize_t size = ::getdents64(directory.fd(), entries.data(), entries.size());
      if (size < 0) return -1;
      if (size == 0) break;
      for (::ssize_t at = 0; at < size;) {
        const auto *const entry = reinterpret_cast<const dirent64 *>(entries.data() + at);
        const std::string_view name = static_cast<const char *>(entry->d_name);
        if (name != "." && name != "..") names.emplace_back(name);
        at += entry->d_reclen;
      }
    }
    std::sort(names.begin(), names.end());
    return 0;
  }
};

/// What whoever ran into it can do; empty where the words of the system say as much.
std::string advice_on(int error) {
  switch (error) {
    case ENOSPC:
    case EDQUOT:
      return "free some space there and try again";
    case EACCES:
    case EPERM:
      return "have that opened to you, or choose another place with --sessions DIR";
    case EROFS:
      return "choose a place that can be written with --sessions DIR";
    case EFBIG:
      return "raise the limit on the size of files (ulimit -f) and try again";
    case EMFILE:
    case ENFILE:
      return "raise the limit on open files (ulimit -n) and try again";
    case EIO:
      return "the disk, or the way to it, fails: the system's log says more";
    default:
      return {};
  }
}

}  // namespace

FileOps &system_file_ops() {
  static SystemFileOps ops;  // without state
  return ops;
}

bool is_same_file(const struct ::stat &one, const struct ::stat &other) {
  return one.st_ino == other.st_ino && one.st_dev == other.st_dev;
}

File::~File() {
  if (fd_ >= 0) ops_->close(fd_);
}

File open_file(FileOps &ops, const std::string &path, int flags, unsigned mode) {
  return {ops, retried([&] { return ops.open(path.c_str(), flags | O_CLOEXEC, mode); })};
}

void throw_errno(const std::string &what) {
  const int error = errno;
  throw AdvisedError(system_error_text(what, error), advice_on(error));
}

}  // namespace dsh::loader
