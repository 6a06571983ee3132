// Compiled for AVX2: holds nothing that another file could share.
#include <immintrin.h>

#include "text/json_string_blocks.hpp"

namespace dsh::loader::json_scan {
namespace {

class Avx2Block {
 public:
  explicit Avx2Block(const char *p) noexcept
      : low_(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(p))),
        high_(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(p + 32))) {}

  std::uint64_t quotes() const noexcept { return equal('"'); }
  std::uint64_t backslashes() const noexcept { return equal('\\'); }
  std::uint64_t others() const noexcept {
    const __m256i space = _mm256_set1_epi8(0x20);  // signed: what isn't ASCII is below it too
    return bits(_mm256_cmpgt_epi8(space, low_), _mm256_cmpgt_epi8(space, high_));
  }
  std::uint64_t odd_escapes(std::uint64_t escaped) const noexcept {
    return escaped & bits(not_escapable(low_), not_escapable(high_));
  }

 private:
  static std::uint64_t bits(__m256i low, __m256i high) noexcept {
    const auto first = static_cast<std::uint32_t>(_mm256_movemask_epi8(low));
    const auto second = static_cast<std::uint32_t>(_mm256_movemask_epi8(high));
    return first | std::uint64_t{second} << 32U;
  }

  std::uint64_t equal(char c) const noexcept {
    const __m256i wanted = _mm256_set1_epi8(c);
    return bits(_mm256_cmpeq_epi8(low_, wanted), _mm256_cmpeq_epi8(high_, wanted));
  }

  /// Which bytes are none of `"\/bfnrt`: those for whose halves the two tables have no bit in common. A bit
  /// stands for one upper half: 1 for 2, 2 for 5, 4 for 6, 8 for 7.
  static __m256i not_escapable(__m256i bytes) noexcept {
    const __m256i by_lower =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 0, 1 | 4 | 8, 0, 8, 0, 4, 0, 0, 0, 0, 0, 2, 0, 4, 1));
    const __m256i by_upper =
        _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 0, 1, 0, 0, 2, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0));
    const __m256i upper = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), _mm256_set1_epi8(0x0F));
    const __m256i common =
        _mm256_and_si256(_mm256_shuffle_epi8(by_lower, bytes), _mm256_shuffle_epi8(by_upper, upper));
    return _mm256_cmpeq_epi8(common, _mm256_setzero_si256());
  }

  __m256i low_;
  __m256i high_;
};

}  // namespace

StringEnd read_string_avx2(const char *begin, const char *p, const char *end) noexcept {
  return read_string_by_blocks<Avx2Block>(begin, p, end);
}

}  // namespace dsh::loader::json_scan
