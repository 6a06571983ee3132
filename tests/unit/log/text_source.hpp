// Bytes in memory as the source of a reader, handed out in small pieces.
#pragma once

#include <algorithm>
#include <string>

#include "log/byte_source.hpp"

namespace dsh::loader {

class TextSource : public ByteSource {
 public:
  explicit TextSource(std::string text, std::size_t piece = 7) : text_(std::move(text)), piece_(piece) {}
  std::size_t read(char *to, std::size_t size) override {
    const std::size_t got = text_.copy(to, std::min(size, piece_), at_);
    at_ += got;
    return got;
  }
  std::uint64_t position() const override { return at_; }

 private:
  std::string text_;
  std::size_t piece_;
  std::size_t at_ = 0;
};

}  // namespace dsh::loader
