#include "mcp/line_splitter.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "text/attempt.hpp"

namespace dsh::loader {
namespace {

/// What a buffer may keep of its memory after an unusually long line.
constexpr std::size_t usual_capacity = 1024UL * 1024;

}  // namespace

void LineSplitter::add(std::string_view bytes) {
  drop_taken();
  try {
    buffer_ += bytes;
  } catch (const std::bad_alloc &) {
    lose_rest();
    buffer_ += bytes;
  }
}

/// Gives up what there is of the line that is not whole yet, and its memory.
void LineSplitter::lose_rest() {
  std::string(buffer_, 0, buffer_.rfind('\n') + 1).swap(buffer_);
  scanned_ = std::min(scanned_, buffer_.size());
  if (loss_ == Loss::none) loss_ = Loss::no_memory;
  lost_at_ = buffer_.size();
}

std::optional<LineSplitter::Line> LineSplitter::next() {
  const std::size_t end = buffer_.find('\n', scanned_);
  if (end != std::string::npos) {
    const std::string_view text = std::string_view(buffer_).substr(start_, end - start_);
    return finish(text, end + 1);
  }
  scanned_ = buffer_.size();
  if (ended_ && (start_ < buffer_.size() || loss_ != Loss::none))
    return finish(std::string_view(buffer_).substr(start_), scanned_);
  if (loss_ == Loss::none && buffer_.size() - start_ > longest_) loss_ = Loss::too_long;
  if (loss_ != Loss::none) {
    start_ = lost_at_ = scanned_;
    drop_taken();
  }
  return std::nullopt;
}

/// The next line, which ends at `end`.
std::optional<LineSplitter::Line> LineSplitter::finish(std::string_view text, std::size_t end) {
  const bool lost = loss_ != Loss::none && start_ == lost_at_;
  start_ = scanned_ = end;
  if (lost) return Line{{}, std::exchange(loss_, Loss::none)};
  if (text.size() > longest_) return Line{{}, Loss::too_long};
  return Line{text};
}

void LineSplitter::drop_taken() {
  buffer_.erase(0, start_);
  scanned_ -= start_;
  lost_at_ -= std::min(lost_at_, start_);
  start_ = 0;
  if (buffer_.size() <= usual_capacity / 2 && buffer_.capacity() > usual_capacity)
    attempt([this] { std::string(buffer_).swap(buffer_); });
}

}  // namespace dsh::loader
