#include "log/byte_source.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

#include "log/zstd_source.hpp"
#include "text/error.hpp"

namespace dsh::loader {

OpenedFile open_for_reading(FileOps &ops, const std::string &path) {
  int fd = -1;
  do {
    // O_NONBLOCK: a pipe in the place of a log must not hang us.
    fd = ops.open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
  } while (fd < 0 && errno == EINTR);
  if (fd < 0) throw_errno("can't open " + path);
  OpenedFile opened{File(ops, fd), 0};
  struct ::stat status {};
  if (ops.fstat(fd, &status) != 0) throw_errno("can't look at " + path);
  if (!S_ISREG(status.st_mode)) throw Error("can't read " + path + ": not a regular file");
  opened.size = static_cast<std::uint64_t>(status.st_size);
  return opened;
}

std::size_t RawSource::read(char *to, std::size_t size) {
  for (;;) {
    const long got = ops_.read(fd_, to, size);
    if (got >= 0) {
      position_ += static_cast<std::uint64_t>(got);
      return static_cast<std::size_t>(got);
    }
    if (errno != EINTR) throw_errno("can't read " + path_);
  }
}

LogSource::LogSource(const LogFile &log, FileOps &ops)
    : opened_(open_for_reading(ops, log.path)), raw_(ops, opened_.file, log.path) {
  if (log.compressed) unpacked_ = std::make_unique<ZstdSource>(raw_);
}

LogSource::~LogSource() = default;

ByteSource &LogSource::bytes() {
  if (unpacked_ != nullptr) return *unpacked_;
  return raw_;
}

bool LogSource::torn() const { return unpacked_ != nullptr && unpacked_->torn(); }

}  // namespace dsh::loader
