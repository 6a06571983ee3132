// Session logs as newer hosts store them: compressed in frames.
#pragma once

#include <zstd.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace dsh {

/// One Zstandard frame with a checksum and without a recorded content size.
inline std::string zstd_frame(std::string_view text) {
  ZSTD_CCtx *const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
  std::string frame(ZSTD_compressBound(text.size()), '\0');
  const std::size_t size = ZSTD_compress2(context, frame.data(), frame.size(), text.data(), text.size());
  ZSTD_freeCCtx(context);
  if (ZSTD_isError(size) != 0U) throw std::runtime_error(ZSTD_getErrorName(size));
  frame.resize(size);
  return frame;
}

/// A log in frames: the header line, then `lines` lines each.
inline std::string zstd_log(std::string_view text, std::size_t lines) {
  std::string packed;
  for (std::size_t wanted = 1; !text.empty(); wanted = lines) {
    std::size_t end = 0;
    for (std::size_t count = 0; count < wanted && end < text.size(); ++count) {
      const std::size_t line_end = text.find('\n', end);
      end = line_end == std::string_view::npos ? text.size() : line_end + 1;
    }
    packed += zstd_frame(text.substr(0, end));
    text.remove_prefix(end);
  }
  return packed;
}

}  // namespace dsh
