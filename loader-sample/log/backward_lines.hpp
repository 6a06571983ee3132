// The lines of a file from its end.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "log/byte_source.hpp"
#include "log/line_reader.hpp"

namespace dsh::loader {

/// Reads in growing steps, so that a near find costs little (no memory from the heap, but 32 KiB of the
/// stack where this lies there) and a far one few calls. The size is that at the opening: what is appended
/// later is not looked at.
/// One thread at a time.
class BackwardLines {
 public:
  /// `ops` and the file outlive it.
  BackwardLines(FileOps &ops, const OpenedFile &opened, std::string path);
  BackwardLines(const BackwardLines &) = delete;
  BackwardLines &operator=(const BackwardLines &) = delete;

  /// The line before the one handed out last; false at the start of the file. Its number is not known
  /// (0). Throws Error, also for a line that is too long, naming its number.
  bool next(Line &line);

  std::uint64_t bytes_read() const { return bytes_read_; }

 private:
  void fetch();
  std::uint64_t number_at(std::uint64_t offset);

  FileOps &ops_;
  const File &file_;
  std::string path_;
  std::array<char, std::size_t{32} << 10> first_buffer_;
  std::unique_ptr<char[]> larger_buffer_;
  char *buffer_ = first_buffer_.data();  // either
  std::size_t capacity_ = first_buffer_.size();
  // The bytes not handed out yet are [begin_, end_) of the buffer, and [low_, …) of the file.
  std::size_t begin_ = capacity_;
  std::size_t end_ = capacity_;
  std::uint64_t low_;
  std::size_t step_ = std::size_t{8} << 10;
  std::uint64_t bytes_read_ = 0;
};

}  // namespace dsh::loader
