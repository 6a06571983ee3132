#include "log/byte_source.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include "log/place_rules.hpp"
#include "log/zstd_source.hpp"
#include "text/error.hpp"

namespace dsh::loader {

OpenedFile open_for_reading(FileOps &ops, const std::string &path) {
  // O_NONBLOCK: a pipe in the place of a log must not hang us.
  OpenedFile opened{.file = open_file(ops, path, O_RDONLY | O_NONBLOCK)};
  if (!opened.file) throw_errno("can't open " + path);
  struct ::stat status {};
  if (ops.fstat(opened.file.fd(), &status) != 0) throw_errno("can't look at " + path);
  if (!S_ISREG(status.st_mode)) throw Error("can't read " + path + ": not a regular file");
  opened.size = static_cast<std::uint64_t>(status.st_size);
  opened.device = status.st_dev;
  opened.inode = status.st_ino;
  opened.changed = std::int64_t{status.st_ctim.tv_sec} * 1'000'000'000 + status.st_ctim.tv_nsec;
  return opened;
}

OpenedFile open_log(FileOps &ops, const LogFile &log) {
  require_known_format(log);
  return open_for_reading(ops, log.path);
}

std::size_t read_at(FileOps &ops, const File &file, const std::string &path, char *to, std::size_t size,
                    std::uint64_t offset) {
  const long got = retried([&] { return ops.pread(file.fd(), to, size, static_cast<std::int64_t>(offset)); });
  if (got < 0) throw_errno("can't read " + path);
  return static_cast<std::size_t>(got);
}

void read_exactly(FileOps &ops, const File &file, const std::string &path, char *to, std::size_t size,
                  std::uint64_t offset) {
  while (size > 0) {
    const std::size_t got = read_at(ops, file, path, to, size, offset);
    if (got == 0) throw Error("can't read " + path + ": it was cut while it was read");
    to += got;
    size -= got;
    offset += got;
  }
}

std::size_t RawSource::read(char *to, std::size_t size) {
  const std::size_t got = read_at(ops_, file_, path_, to, size, offset_ + position_);
  position_ += got;
  return got;
}

LogSource::LogSource(const LogFile &log, FileOps &ops)
    : opened_(open_log(ops, log)), raw_(ops, opened_.file, log.path) {
  if (log.compressed) unpacked_ = std::make_unique<ZstdSource>(raw_);
}

LogSource::~LogSource() = default;

ByteSource &LogSource::bytes() {
  if (unpacked_ != nullptr) return *unpacked_;
  return raw_;
}

bool LogSource::torn() const { return unpacked_ != nullptr && unpacked_->torn(); }

}  // namespace dsh::loader
