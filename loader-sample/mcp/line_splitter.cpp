#include "mcp/line_splitter.hpp"

#include <utility>

namespace dsh::loader {
namespace {

/// What a buffer may keep of its memory after an unusually long line.
constexpr std::size_t usual_capacity = 1024UL * 1024;

}  // namespace

void LineSplitter::add(std::string_view bytes) {
  drop_taken();
  buffer_ += bytes;
}

std::optional<LineSplitter::Line> LineSplitter::next() {
  const std::size_t end = buffer_.find('\n', scanned_);
  if (end != std::string::npos) {
    const std::string_view text = std::string_view(buffer_).substr(start_, end - start_);
    start_ = scanned_ = end + 1;
    return finish(text);
  }
  scanned_ = buffer_.size();
  if (ended_ && (start_ < buffer_.size() || skipping_)) {
    const std::string_view text = std::string_view(buffer_).substr(start_);
    start_ = scanned_;
    return finish(text);
  }
  if (skipping_ || buffer_.size() - start_ > longest_) {
    skipping_ = true;
    start_ = scanned_;
    drop_taken();
  }
  return std::nullopt;
}

std::optional<LineSplitter::Line> LineSplitter::finish(std::string_view text) {
  if (std::exchange(skipping_, false) || text.size() > longest_) return Line{{}, true};
  return Line{text, false};
}

void LineSplitter::drop_taken() {
  buffer_.erase(0, start_);
  scanned_ -= start_;
  start_ = 0;
  if (buffer_.size() <= usual_capacity / 2 && buffer_.capacity() > usual_capacity)
    std::string(buffer_).swap(buffer_);
}

}  // namespace dsh::loader
