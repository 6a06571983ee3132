// Logs compressed with Zstandard: concatenated frames, the first of which holds the header line and
// nothing else, each further one whole lines.
#pragma once

#include <zstd.h>

#include <memory>
#include <string_view>
#include <vector>

#include "log/byte_source.hpp"

namespace dsh::loader {

/// What a frame begins with.
inline constexpr std::string_view zstd_magic = "\x28\xB5\x2F\xFD";

/// Unpacks as it goes; memory as the frames' window asks for. A last frame that is cut off ends the
/// stream where its bytes end, as a torn line would. Throws Error for a wrong first frame, a frame that
/// fails its checksum or is none, and one that ends inside a line.
class ZstdSource : public ByteSource {
 public:
  /// `packed` outlives it.
  explicit ZstdSource(ByteSource &packed);
  std::size_t read(char *to, std::size_t size) override;
  std::uint64_t position() const override { return packed_.position(); }
  /// At the end: the last frame was cut off.
  bool torn() const { return in_frame_; }

 private:
  void follow_lines(const char *bytes, std::size_t size);
  void end_frame();

  struct Free {
    void operator()(ZSTD_DStream *stream) const { ZSTD_freeDStream(stream); }
  };
  ByteSource &packed_;
  std::unique_ptr<ZSTD_DStream, Free> stream_;
  std::vector<char> input_;
  ZSTD_inBuffer in_{nullptr, 0, 0};
  std::uint64_t frame_start_ = 0;       ///< byte of the file where the frame at hand begins
  std::uint64_t input_start_ = 0;       ///< byte of the file where `input_` begins
  std::uint64_t frames_ = 0;            ///< complete ones
  std::uint64_t header_line_ends_ = 0;  ///< line ends in the first frame
  bool in_frame_ = false;
  char last_ = '\n';  ///< the last byte that came out
};

}  // namespace dsh::loader
