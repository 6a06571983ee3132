// Inside a JSON string: where it ends, and whether what stands in it is sound. Most bytes of a log are
// inside strings, so this decides how fast one is read.
#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace dsh::loader::json_scan {

/// May this byte of a string not stand as it is, or is it not ASCII?
inline bool is_special(unsigned char c) noexcept { return c < 0x20 || c >= 0x80 || c == '"' || c == '\\'; }

#if defined(__SSE2__)
/// Which of sixteen bytes are special: a bit each, the first byte's lowest.
inline unsigned special_of_16(const char *p) noexcept {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i *>(p));
  const __m128i quotes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"'));
  const __m128i backslashes = _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\'));
  const __m128i low = _mm_cmplt_epi8(bytes, _mm_set1_epi8(0x20));  // signed: what isn't ASCII too
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quotes, backslashes), low)));
}
#endif

/// The first special byte at or after `p`.
inline const char *skip_plain(const char *p, const char *end) noexcept {
#if defined(__SSE2__)
  for (; end - p >= 16; p += 16)
    if (const unsigned special = special_of_16(p); special != 0) return p + std::countr_zero(special);
#endif
  while (p != end && !is_special(static_cast<unsigned char>(*p))) ++p;
  return p;
}

/// How far a string goes.
struct StringEnd {
  const char *at = nullptr;     ///< its closing quote, or where it is unsound
  const char *fault = nullptr;  ///< what is wrong there; null: nothing
  bool escaped = false;         ///< there are escapes in it, where it is sound
};

/// Reads a string on from `p`, which lies behind its opening quote, and neither inside an escape nor inside a
/// character. The text that holds the string goes from `begin` to `end`.
StringEnd read_string(const char *begin, const char *p, const char *end) noexcept;

/// The ways to do that, which all find the same: `read_string` is the fastest that this processor has.
using StringReader = StringEnd (*)(const char *begin, const char *p, const char *end) noexcept;
StringEnd read_string_plainly(const char *begin, const char *p, const char *end) noexcept;
/// Those that this processor has, the plain one first, the fastest last.
std::span<const StringReader> string_readers() noexcept;

/// Steps over what is no plain character: an escape, or a run of characters that are not ASCII. Null where it
/// is neither, or unsound: `found` tells what is wrong.
const char *step_over(const char *p, const char *end, StringEnd &found) noexcept;

#if defined(DSH_AVX2)
/// Only for a processor that has AVX2 and BMI.
StringEnd read_string_avx2(const char *begin, const char *p, const char *end) noexcept;
#endif

}  // namespace dsh::loader::json_scan
