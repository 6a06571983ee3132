#include "log/backward_lines.hpp"

#include <algorithm>
#include <cstring>

namespace dsh::loader {

BackwardLines::BackwardLines(FileOps &ops, const OpenedFile &opened, std::string path)
    : ops_(ops), file_(opened.file), path_(std::move(path)), low_(opened.size) {}

/// Puts bytes before those that are there.
void BackwardLines::fetch() {
  constexpr std::size_t largest = std::size_t{256} << 10;
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(low_, step_));
  step_ = std::min(2 * step_, largest);
  if (begin_ < size) {
    const std::size_t there = end_ - begin_;
    if (capacity_ - there >= size) {
      std::memmove(buffer_ + capacity_ - there, buffer_ + begin_, there);
    } else {
      const std::size_t wanted = std::max(2 * capacity_, there + size);
      auto grown = std::make_unique_for_overwrite<char[]>(wanted);
      std::copy_n(buffer_ + begin_, there, grown.get() + wanted - there);
      larger_buffer_ = std::move(grown);
      buffer_ = larger_buffer_.get();
      capacity_ = wanted;
    }
    end_ = capacity_;
    begin_ = end_ - there;
  }
  read_exactly(ops_, file_, path_, buffer_ + begin_ - size, size, low_ - size);
  begin_ -= size;
  low_ -= size;
  bytes_read_ += size;
}

/// Of the line in which that byte lies. All before it is read for that, over what was read of the lines.
std::uint64_t BackwardLines::number_at(std::uint64_t offset) {
  std::uint64_t number = 1;
  for (std::uint64_t done = 0; done < offset;) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(offset - done, first_buffer_.size()));
    read_exactly(ops_, file_, path_, buffer_, size, done);
    number += static_cast<std::uint64_t>(std::count(buffer_, buffer_ + size, '\n'));
    done += size;
    bytes_read_ += size;
  }
  return number;
}

bool BackwardLines::next(Line &line) {
  if (begin_ == end_) {
    if (low_ == 0) return false;
    fetch();
  }
  const bool complete = buffer_[end_ - 1] == '\n';
  std::size_t unsearched = end_ - begin_ - (complete ? 1 : 0);  // of the bytes there, from the left
  for (;;) {
    const char *const start = buffer_ + begin_;
    const auto *const found = static_cast<const char *>(::memrchr(start, '\n', unsearched));
    const auto at = static_cast<std::size_t>(found == nullptr ? 0 : found + 1 - start);
    const std::size_t size = end_ - begin_ - at - (complete ? 1 : 0);
    if (size > longest_line) throw too_long_line(number_at(low_ + at));
    if (found == nullptr && low_ != 0) {
      const std::uint64_t before = low_;
      fetch();
      unsearched = static_cast<std::size_t>(before - low_);
      continue;
    }
    line = {{start + at, size}, 0, low_ + at, complete};
    end_ = begin_ + at;
    return true;
  }
}

}  // namespace dsh::loader
