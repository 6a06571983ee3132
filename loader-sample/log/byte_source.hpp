// The plain bytes of a log, whichever way they lie on disk.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "log/file_ops.hpp"
#include "log/log_paths.hpp"

namespace dsh::loader {

class ZstdSource;

/// A stream of bytes. One thread at a time.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  /// Reads up to `size` bytes (more than 0) and returns how many; 0 at the end. Throws Error.
  virtual std::size_t read(char *to, std::size_t size) = 0;
  /// How many bytes of the file were used so far.
  virtual std::uint64_t position() const = 0;
};

/// A file opened for reading: a regular one, else Error.
struct OpenedFile {
  File file;
  std::uint64_t size = 0;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::int64_t changed = 0;  ///< when, in nanoseconds: data, name or rights
};
OpenedFile open_for_reading(FileOps &ops, const std::string &path);

/// The same for a log. Throws Error also where its name tells a format that this program doesn't read.
OpenedFile open_log(FileOps &ops, const LogFile &log);

/// Reads up to `size` bytes of an open file at an offset, and returns how many; 0 at its end. Throws Error.
std::size_t read_at(FileOps &ops, const File &file, const std::string &path, char *to, std::size_t size,
                    std::uint64_t offset);

/// Fills `to` from an offset. Throws Error also where the file doesn't hold so much any more.
void read_exactly(FileOps &ops, const File &file, const std::string &path, char *to, std::size_t size,
                  std::uint64_t offset);

/// The file's bytes as they are, from an offset on.
class RawSource : public ByteSource {
 public:
  /// `ops` and `file` outlive it.
  RawSource(FileOps &ops, const File &file, std::string path, std::uint64_t offset = 0)
      : ops_(ops), file_(file), path_(std::move(path)), offset_(offset) {}
  std::size_t read(char *to, std::size_t size) override;
  std::uint64_t position() const override { return position_; }

 private:
  FileOps &ops_;
  const File &file_;
  std::string path_;
  std::uint64_t offset_;
  std::uint64_t position_ = 0;
};

/// A log's bytes, unpacked where the file is compressed. One thread at a time.
class LogSource {
 public:
  /// Opens the file. Throws Error, as open_log does. `ops` outlives it.
  explicit LogSource(const LogFile &log, FileOps &ops = system_file_ops());
  ~LogSource();
  /// Lives as long as this.
  ByteSource &bytes();
  /// Once bytes() has come to its end: is the last frame of a compressed log cut off?
  bool torn() const;
  std::uint64_t file_size() const { return opened_.size; }

 private:
  OpenedFile opened_;
  RawSource raw_;
  std::unique_ptr<ZstdSource> unpacked_;  ///< none: not compressed
};

}  // namespace dsh::loader
