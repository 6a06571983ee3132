#include "log/line_reader.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

namespace dsh::loader {

namespace {

/// Bytes. A smaller block may be copied, and leaves a hole that nothing else may fill: few steps leave few.
/// What isn't written to takes no memory.
constexpr std::size_t least_remapped = std::size_t{32} << 20;

}  // namespace

Error too_long_line(std::uint64_t number) {
  return Error("line " + std::to_string(number) + " is longer than " + std::to_string(longest_line >> 20U) +
               " MiB, which this program doesn't read: the log is left as it is");
}

void LineReader::Free::operator()(char *bytes) const { std::free(bytes); }

/// Reads more behind what is there; false at the end of the stream.
bool LineReader::fill() {
  if (begin_ != 0) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == capacity_) {
    const std::size_t wanted = capacity_ == 0 ? chunk_ : (capacity_ < least_remapped ? 4 : 2) * capacity_;
    auto *const grown = static_cast<char *>(std::realloc(buffer_.get(), wanted));
    if (grown == nullptr) throw std::bad_alloc();
    static_cast<void>(buffer_.release());
    buffer_.reset(grown);
    capacity_ = wanted;
  }
  // Never more than a chunk at once: what is read ahead stays in the cache until it is looked at.
  const std::size_t room = capacity_ - end_;
  const std::size_t got = source_.read(buffer_.get() + end_, room < chunk_ ? room : chunk_);
  end_ += got;
  return got != 0;
}

void LineReader::take(std::size_t size, Line &line) {
  line = {{buffer_.get() + begin_, size - 1}, number_++, offset_, true};
  begin_ += size;
  offset_ += size;
}

bool LineReader::next(Line &line) {
  std::size_t searched = 0;
  for (;;) {
    const char *const start = buffer_.get() + begin_;
    const std::size_t there = end_ - begin_;
    const void *const found =
        there == searched ? nullptr : std::memchr(start + searched, '\n', there - searched);
    const std::size_t size =
        found == nullptr ? there : static_cast<std::size_t>(static_cast<const char *>(found) - start);
    if (size > longest_line) {
      line = {{}, number_, offset_, false};
      throw too_long_line(number_);
    }
    if (found != nullptr) {
      take(size + 1, line);
      return true;
    }
    searched = there;
    if (fill()) continue;
    if (there == 0) return false;
    line = {{buffer_.get() + begin_, there}, number_++, offset_, false};
    begin_ = end_;
    offset_ += there;
    return true;
  }
}

}  // namespace dsh::loader
