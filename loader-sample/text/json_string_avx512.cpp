// Compiled for AVX-512: holds nothing that another file could share.
#include <immintrin.h>

#include "text/json_string_blocks.hpp"

namespace dsh::loader::json_scan {
namespace {

class Avx512Block {
 public:
  explicit Avx512Block(const char *p) noexcept : bytes_(_mm512_loadu_si512(p)) {}

  std::uint64_t quotes() const noexcept { return _mm512_cmpeq_epi8_mask(bytes_, _mm512_set1_epi8('"')); }
  std::uint64_t backslashes() const noexcept {
    return _mm512_cmpeq_epi8_mask(bytes_, _mm512_set1_epi8('\\'));
  }
  std::uint64_t others() const noexcept {
    return _mm512_cmplt_epi8_mask(bytes_, _mm512_set1_epi8(0x20));  // signed: what isn't ASCII too
  }
  /// By two tables, as with AVX2.
  std::uint64_t odd_escapes(std::uint64_t escaped) const noexcept {
    const __m512i by_lower =
        _mm512_broadcast_i32x4(_mm_setr_epi8(0, 0, 1 | 4 | 8, 0, 8, 0, 4, 0, 0, 0, 0, 0, 2, 0, 4, 1));
    const __m512i by_upper =
        _mm512_broadcast_i32x4(_mm_setr_epi8(0, 0, 1, 0, 0, 2, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0));
    const __m512i upper = _mm512_and_si512(_mm512_srli_epi16(bytes_, 4), _mm512_set1_epi8(0x0F));
    return escaped & _mm512_testn_epi8_mask(_mm512_shuffle_epi8(by_lower, bytes_),
                                            _mm512_shuffle_epi8(by_upper, upper));
  }

 private:
  __m512i bytes_;
};

}  // namespace

StringEnd read_string_avx512(const char *begin, const char *p, const char *end) noexcept {
  return read_string_by_blocks<Avx512Block>(begin, p, end);
}

}  // namespace dsh::loader::json_scan
