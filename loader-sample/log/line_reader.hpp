// Lines of a byte stream, of any length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "log/byte_source.hpp"
#include "text/error.hpp"

namespace dsh::loader {

struct Line {
  std::string_view text;     ///< without its line end; lives until the next read
  std::uint64_t number = 0;  ///< from 1
  std::uint64_t offset = 0;  ///< of its first byte in the plain bytes
  bool complete = false;     ///< its line end was there
  std::uint64_t end() const { return offset + text.size() + (complete ? 1 : 0); }
};

/// What a line may take, its end aside: more than any event needs, and less than a machine has. JavaScript,
/// which reads a log as one string, stays below twice as much.
inline constexpr std::size_t longest_line = std::size_t{256} << 20;

/// What is thrown where a line is longer.
Error too_long_line(std::uint64_t number);

/// Holds the line at hand and what was read beyond it: memory follows the longest line. One thread at a time.
class LineReader {
 public:
  /// Reads `chunk` bytes at a time from `source`, which outlives it.
  explicit LineReader(ByteSource &source, std::size_t chunk = std::size_t{256} << 10)
      : source_(source), chunk_(chunk) {}

  /// The next line; false at the end. Throws Error, also for a line that is too long: its number is told.
  bool next(Line &line);

  /// What was read behind the line at hand; lives until the next read.
  std::string_view ahead() const { return {buffer_.get() + begin_, end_ - begin_}; }
  /// The next line, whose end is known: the last of the first `size` bytes of ahead().
  void take(std::size_t size, Line &line);

 private:
  bool fill();

  // malloc, not a vector: realloc moves the pages of a large block instead of copying them.
  struct Free {
    void operator()(char *bytes) const;
  };
  ByteSource &source_;
  std::unique_ptr<char, Free> buffer_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;  ///< of the bytes not handed out yet
  std::size_t end_ = 0;
  std::size_t chunk_;
  std::uint64_t number_ = 1;
  std::uint64_t offset_ = 0;
};

}  // namespace dsh::loader
