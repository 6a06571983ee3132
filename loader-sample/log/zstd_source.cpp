#include "log/zstd_source.hpp"

#include <zstd_errors.h>

#include <algorithm>
#include <new>

#include "text/error.hpp"

namespace dsh::loader {

ZstdSource::ZstdSource(ByteSource &packed)
    : packed_(packed), stream_(ZSTD_createDStream()), input_(std::size_t{128} << 10) {
  if (stream_ == nullptr) throw std::bad_alloc();
  in_.src = input_.data();
}

void ZstdSource::follow_lines(const char *bytes, std::size_t size) {
  if (size == 0) return;
  last_ = bytes[size - 1];
  if (frames_ != 0) return;
  const auto line_ends = static_cast<std::uint64_t>(std::count(bytes, bytes + size, '\n'));
  // The first frame must end with its one line end: a second one, or bytes behind it, are too much.
  const bool behind = header_line_ends_ == 1 || (line_ends == 1 && last_ != '\n') || line_ends > 1;
  header_line_ends_ += line_ends;
  if (behind) throw Error("corrupt Zstandard session log: first frame is not exactly one header line");
}

void ZstdSource::end_frame() {
  if (frames_ == 0 && header_line_ends_ != 1)
    throw Error("corrupt Zstandard session log: first frame is not exactly one header line");
  if (last_ != '\n')
    throw Error("corrupt Zstandard session log: the frame at byte " + std::to_string(frame_start_) +
                " ends inside a line");
  ++frames_;
  in_frame_ = false;
}

std::size_t ZstdSource::read(char *to, std::size_t size) {
  ZSTD_outBuffer out{to, size, 0};
  for (;;) {
    if (in_.pos == in_.size) {
      input_start_ = packed_.position();
      in_.size = packed_.read(input_.data(), input_.size());
      in_.pos = 0;
    }
    if (!in_frame_ && in_.size != 0) {
      frame_start_ = input_start_ + in_.pos;
      in_frame_ = true;
    }
    const std::size_t used = in_.pos;
    const std::size_t left = ZSTD_decompressStream(stream_.get(), &out, &in_);
    if (ZSTD_isError(left) != 0U) {
      if (ZSTD_getErrorCode(left) == ZSTD_error_frameParameter_windowTooLarge)
        throw Error(
            "the Zstandard frame at byte " + std::to_string(frame_start_) +
            " needs a window of more than 128 MiB, which this program does not read; compress the log "
            "again without --long");
      const bool foreign = ZSTD_getErrorCode(left) == ZSTD_error_prefix_unknown;
      throw Error("corrupt Zstandard session log: " +
                  (foreign && frame_start_ == 0 ? std::string("not Zstandard data")
                                                : "the frame at byte " + std::to_string(frame_start_) +
                                                      " failed validation: " + ZSTD_getErrorName(left)));
    }
    if (out.pos != 0) {
      follow_lines(to, out.pos);
      if (left == 0) end_frame();
      return out.pos;
    }
    if (left == 0 && in_frame_) end_frame();
    if (in_.size == 0) {
      if (frames_ == 0) throw Error("empty or header-less Zstandard session log");
      return 0;
    }
    if (in_.pos == used && in_.pos != in_.size && in_frame_)
      throw Error("corrupt Zstandard session log: the frame at byte " + std::to_string(frame_start_) +
                  " makes no progress");
  }
}

}  // namespace dsh::loader
