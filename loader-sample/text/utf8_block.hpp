// Sixteen bytes of UTF-8 at a glance, for text that mixes characters of one to four bytes.
#pragma once

#if defined(__SSE2__)
#include <emmintrin.h>

#include <bit>
#include <cstddef>

namespace dsh::loader {

/// How many of the sixteen bytes at `p`, where a character starts, are whole characters of strict UTF-8 that
/// stand in a JSON string as they are: they end before a quote, a backslash, a control character, or the last
/// character, which may go on behind them. 0 where a fault comes before that.
inline std::size_t plain_utf8_of_16(const char *p) noexcept {
  const auto all = [](unsigned byte) { return _mm_set1_epi8(static_cast<char>(byte)); };
  const auto bits = [](__m128i bytes) { return static_cast<unsigned>(_mm_movemask_epi8(bytes)); };
  // Not zero where a byte is at least `least`.
  const auto at_least = [&](__m128i bytes, unsigned least) { return _mm_subs_epu8(bytes, all(least - 1)); };
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i *>(p));
  const __m128i before = _mm_slli_si128(bytes, 1);
  const __m128i due =
      _mm_or_si128(_mm_or_si128(at_least(before, 0xC0), at_least(_mm_slli_si128(bytes, 2), 0xE0)),
                   at_least(_mm_slli_si128(bytes, 3), 0xF0));
  // Compared as signed numbers, continuations are the lowest.
  const __m128i continuations = _mm_cmplt_epi8(bytes, all(0xC0));
  const __m128i misplaced = _mm_cmpeq_epi8(_mm_cmpeq_epi8(due, _mm_setzero_si128()), continuations);
  // What would be overlong, a surrogate, or beyond U+10FFFF.
  const __m128i below_a0 = _mm_cmplt_epi8(bytes, all(0xA0));
  const __m128i below_90 = _mm_cmplt_epi8(bytes, all(0x90));
  const auto after = [&](unsigned lead) { return _mm_cmpeq_epi8(before, all(lead)); };
  const __m128i low =
      _mm_or_si128(_mm_and_si128(below_a0, after(0xE0)), _mm_and_si128(below_90, after(0xF0)));
  const __m128i high =
      _mm_or_si128(_mm_andnot_si128(below_a0, after(0xED)), _mm_andnot_si128(below_90, after(0xF4)));
  const __m128i never =
      _mm_or_si128(_mm_cmpeq_epi8(_mm_and_si128(bytes, all(0xFE)), all(0xC0)), at_least(bytes, 0xF5));
  const __m128i faults = _mm_or_si128(_mm_or_si128(misplaced, never), _mm_or_si128(low, high));
  const __m128i ends =
      _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, all('"')), _mm_cmpeq_epi8(bytes, all('\\'))),
                   _mm_cmpeq_epi8(_mm_min_epu8(bytes, all(0x1F)), bytes));

  const unsigned faulty = bits(_mm_cmpeq_epi8(faults, _mm_setzero_si128())) ^ 0xFFFFU;
  const unsigned end = bits(ends);
  const unsigned starts = bits(continuations) ^ 0xFFFFU;
  unsigned stop = 0;
  if (end != 0)
    stop = static_cast<unsigned>(std::countr_zero(end));
  else if (starts != 0)
    stop = static_cast<unsigned>(std::bit_width(starts)) - 1;
  return (faulty & ((2U << stop) - 1)) != 0 ? 0 : stop;
}

}  // namespace dsh::loader
#endif
