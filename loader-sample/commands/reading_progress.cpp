#include "commands/reading_progress.hpp"

#include <sys/stat.h>

#include <cerrno>

namespace dsh::loader {

int ReadingProgress::open(const char *path, int flags, unsigned mode) {
  const int fd = ops_.open(path, flags, mode);
  const int error = errno;
  fd_ = fd;
  path_ = path;
  done_ = 0;
  struct ::stat status {};
  size_ = fd >= 0 && ops_.fstat(fd, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
  errno = error;
  return fd;
}

int ReadingProgress::close(int fd) {
  if (fd == fd_) wipe();
  return ops_.close(fd);
}

long ReadingProgress::pread(int fd, void *to, std::size_t size, std::int64_t offset) {
  const long got = ops_.pread(fd, to, size, offset);
  if (fd != fd_ || static_cast<std::uint64_t>(offset) != done_ || got < 0) return got;
  done_ += static_cast<std::uint64_t>(got);
  if (got == 0 || done_ >= size_)
    wipe();
  else
    progress_.show(path_, done_, size_);
  return got;
}

}  // namespace dsh::loader
