#include "wtf8.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace dsh::todo {
namespace {

unsigned char byte_at(std::string_view text, std::size_t at) noexcept {
  return static_cast<unsigned char>(text[at]);
}

bool is_continuation(unsigned char byte) noexcept { return (byte & 0xC0U) == 0x80U; }

/// The length of the sound sequence at `at`, whose first byte is no ASCII; 0 where it is broken.
std::size_t sequence_length(std::string_view text, std::size_t at) noexcept {
  const unsigned char lead = byte_at(text, at);
  // The second byte carries the limits that overlong forms, surrogates and U+10FFFF set.
  unsigned char low = 0x80;
  unsigned char high = 0xBF;
  std::size_t length = 0;
  if (lead >= 0xC2 && lead <= 0xDF) {
    length = 2;
  } else if (lead >= 0xE0 && lead <= 0xEF) {
    length = 3;
    if (lead == 0xE0) low = 0xA0;
    if (lead == 0xED) high = 0x9F;
  } else if (lead >= 0xF0 && lead <= 0xF4) {
    length = 4;
    if (lead == 0xF0) low = 0x90;
    if (lead == 0xF4) high = 0x8F;
  } else {
    return 0;
  }
  if (text.size() - at < length) return 0;
  if (byte_at(text, at + 1) < low || byte_at(text, at + 1) > high) return 0;
  for (std::size_t i = 2; i < length; ++i)
    if (!is_continuation(byte_at(text, at + i))) return 0;
  return length;
}

constexpr std::uint64_t high_bits = 0x8080808080808080U;

/// The first byte at or after `at` that is no ASCII; the text's end where there is none.
std::size_t skip_ascii(std::string_view text, std::size_t at) noexcept {
#if defined(__SSE2__)
  for (; text.size() - at >= 64; at += 64) {
    const auto *const blocks = reinterpret_cast<const __m128i *>(text.data() + at);
    const __m128i all = _mm_or_si128(_mm_or_si128(_mm_loadu_si128(blocks), _mm_loadu_si128(blocks + 1)),
                                     _mm_or_si128(_mm_loadu_si128(blocks + 2), _mm_loadu_si128(blocks + 3)));
    if (_mm_movemask_epi8(all) != 0) break;
  }
#endif
  if constexpr (std::endian::native == std::endian::little) {
    for (; text.size() - at >= sizeof(std::uint64_t); at += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, text.data() + at, sizeof word);
      if ((word & high_bits) != 0)
        return at + static_cast<std::size_t>(std::countr_zero(word & high_bits)) / 8;
    }
  }
  while (at < text.size() && byte_at(text, at) < 0x80) ++at;
  return at;
}

#if defined(__SSE2__)
constexpr std::size_t block_size = 16;
constexpr std::size_t look_back = 3;  // the start of a sequence is at most so far before its end

__m128i sixteen_of(unsigned char byte) noexcept { return _mm_set1_epi8(static_cast<char>(byte)); }

/// Not zero where a byte is at least `least`.
__m128i at_least(__m128i bytes, unsigned char least) noexcept {
  return _mm_subs_epu8(bytes, sixteen_of(static_cast<unsigned char>(least - 1)));
}

/// Does each of sixteen bytes go on with what the three before it started, and start nothing broken? They
/// stand in `bytes`, and in `before[n]` those n + 1 places before them.
bool is_sound_block(__m128i bytes, const __m128i (&before)[look_back]) noexcept {
  const __m128i due = _mm_or_si128(_mm_or_si128(at_least(before[0], 0xC0), at_least(before[1], 0xE0)),
                                   at_least(before[2], 0xF0));
  // Compared as signed numbers, continuations are the lowest.
  const __m128i continuations = _mm_cmplt_epi8(bytes, sixteen_of(0xC0));
  const __m128i none_due = _mm_cmpeq_epi8(due, _mm_setzero_si128());
  __m128i faults = _mm_cmpeq_epi8(none_due, continuations);
  const auto add = [&](__m128i more) { faults = _mm_or_si128(faults, more); };
  // The limits of sequence_length.
  const __m128i below_a0 = _mm_cmplt_epi8(bytes, sixteen_of(0xA0));
  const __m128i below_90 = _mm_cmplt_epi8(bytes, sixteen_of(0x90));
  const auto after = [&](unsigned char lead) { return _mm_cmpeq_epi8(before[0], sixteen_of(lead)); };
  add(_mm_and_si128(below_a0, after(0xE0)));
  add(_mm_andnot_si128(below_a0, after(0xED)));
  add(_mm_and_si128(below_90, after(0xF0)));
  add(_mm_andnot_si128(below_90, after(0xF4)));
  add(_mm_cmpeq_epi8(_mm_and_si128(bytes, sixteen_of(0xFE)), sixteen_of(0xC0)));
  add(at_least(bytes, 0xF5));
  return _mm_movemask_epi8(_mm_cmpeq_epi8(faults, _mm_setzero_si128())) == 0xFFFF;
}

/// Looks at whole blocks, from `at` on: the start of a character before which the text is sound. Gives
/// another such place, as far on as the blocks are sound.
std::size_t skip_sound_blocks(std::string_view text, std::size_t at) noexcept {
  if (at < look_back) return at;
  for (; text.size() - at >= block_size; at += block_size) {
    const auto load = [&](std::size_t back) {
      return _mm_loadu_si128(reinterpret_cast<const __m128i *>(text.data() + at - back));
    };
    const __m128i bytes = load(0);
    const __m128i before[look_back] = {load(1), load(2), load(3)};
    if (_mm_movemask_epi8(_mm_or_si128(bytes, before[2])) == 0) continue;
    if (!is_sound_block(bytes, before)) break;
  }
  // The last character may have been cut.
  while (is_continuation(byte_at(text, at - 1))) --at;
  return at - 1;
}
#endif

/// Is this byte ASCII, but neither space nor a control?
bool is_graphic(char byte) noexcept { return byte > 0x20 && byte < 0x7F; }

}  // namespace

std::size_t find_invalid_utf8(std::string_view text) noexcept {
  std::size_t at = skip_ascii(text, 0);
#if defined(__SSE2__)
  if (at < text.size()) at = skip_sound_blocks(text, at);
#endif
  for (at = skip_ascii(text, at); at < text.size(); at = skip_ascii(text, at)) {
    const std::size_t length = sequence_length(text, at);
    if (length == 0) return at;
    at += length;
  }
  return std::string_view::npos;
}

CodePoint decode(std::string_view wtf8, std::size_t at) noexcept {
  const auto lead = static_cast<char32_t>(byte_at(wtf8, at));
  const auto tail = [&](std::size_t i) { return static_cast<char32_t>(byte_at(wtf8, at + i) & 0x3FU); };
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xE0) return {(lead & 0x1FU) << 6 | tail(1), 2};
  if (lead < 0xF0) return {(lead & 0x0FU) << 12 | tail(1) << 6 | tail(2), 3};
  return {(lead & 0x07U) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3), 4};
}

char *put_code_point(char *at, char32_t value) noexcept {
  const auto put = [&](char32_t byte) { *at++ = static_cast<char>(byte); };
  if (value < 0x80) {
    put(value);
    return at;
  }
  if (value < 0x800) {
    put(0xC0 | value >> 6);
  } else {
    if (value < 0x10000) {
      put(0xE0 | value >> 12);
    } else {
      put(0xF0 | value >> 18);
      put(0x80 | (value >> 12 & 0x3F));
    }
    put(0x80 | (value >> 6 & 0x3F));
  }
  put(0x80 | (value & 0x3F));
  return at;
}

void append_code_point(std::string &wtf8, char32_t value) {
  std::array<char, longest_code_point> bytes;
  wtf8.append(bytes.data(), put_code_point(bytes.data(), value));
}

bool is_js_space(char32_t c) noexcept {
  if (c < 0xA0) return c == 0x20 || (c >= 0x09 && c <= 0x0D);
  switch (c) {
    case 0xA0:
    case 0x1680:
    case 0x2028:
    case 0x2029:
    case 0x202F:
    case 0x205F:
    case 0x3000:
    case 0xFEFF:
      return true;
    default:
      return c >= 0x2000 && c <= 0x200A;
  }
}

std::string_view trim(std::string_view wtf8) noexcept {
  if (!wtf8.empty() && is_graphic(wtf8.front()) && is_graphic(wtf8.back())) return wtf8;
  while (!wtf8.empty()) {
    const CodePoint first = decode(wtf8, 0);
    if (!is_js_space(first.value)) break;
    wtf8.remove_prefix(first.size);
  }
  while (!wtf8.empty()) {
    std::size_t start = wtf8.size() - 1;
    while (is_continuation(byte_at(wtf8, start))) --start;
    if (!is_js_space(decode(wtf8, start).value)) break;
    wtf8.remove_suffix(wtf8.size() - start);
  }
  return wtf8;
}

}  // namespace dsh::todo
