#include "text/json_string_scan.hpp"

#include <cstring>
#include <string_view>

#include "text/utf.hpp"

#if defined(__SSE2__)
#include "text/json_string_blocks.hpp"
#include "text/utf8_block.hpp"
#endif

namespace dsh::loader::json_scan {
namespace {

#if defined(__SSE2__)

bool is_escapable(char c) noexcept {
  return std::string_view(R"("\/bfnrt)").find(c) != std::string_view::npos;
}

class Sse2Block {
 public:
  explicit Sse2Block(const char *p) noexcept : p_(p) {
    for (std::ptrdiff_t i = 0; i < 4; ++i)
      parts_[i] = _mm_loadu_si128(reinterpret_cast<const __m128i *>(p + 16 * i));
  }

  std::uint64_t quotes() const noexcept { return equal('"'); }
  std::uint64_t backslashes() const noexcept { return equal('\\'); }
  std::uint64_t others() const noexcept {
    const __m128i space = _mm_set1_epi8(0x20);  // signed: what isn't ASCII is below it too
    return bits([&](__m128i part) { return _mm_cmplt_epi8(part, space); });
  }
  std::uint64_t odd_escapes(std::uint64_t escaped) const noexcept {
    std::uint64_t odd = 0;
    for (; escaped != 0; escaped &= escaped - 1)
      if (!is_escapable(p_[std::countr_zero(escaped)])) odd |= escaped & (~escaped + 1);
    return odd;
  }

 private:
  template <typename Which>
  std::uint64_t bits(Which which) const noexcept {
    std::uint64_t all = 0;
    for (int i = 0; i < 4; ++i)
      all |= static_cast<std::uint64_t>(_mm_movemask_epi8(which(parts_[i]))) << (16 * i);
    return all;
  }
  std::uint64_t equal(char c) const noexcept {
    const __m128i wanted = _mm_set1_epi8(c);
    return bits([&](__m128i part) { return _mm_cmpeq_epi8(part, wanted); });
  }

  const char *p_;
  __m128i parts_[4];
};

StringEnd read_string_sse2(const char *begin, const char *p, const char *end) noexcept {
  return read_string_by_blocks<Sse2Block>(begin, p, end);
}

/// Do five characters of three bytes each stand here whose first bytes leave no doubt about the others?
/// Looks at sixteen bytes.
bool five_of_three_bytes(const char *p) noexcept {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i *>(p));
  constexpr auto first = static_cast<char>(0xF0);
  constexpr auto other = static_cast<char>(0xC0);
  const __m128i looked_at = _mm_setr_epi8(first, other, other, first, other, other, first, other, other,
                                          first, other, other, first, other, other, 0);
  constexpr auto e = static_cast<char>(0xE0);
  constexpr auto t = static_cast<char>(0x80);
  const __m128i wanted = _mm_setr_epi8(e, t, t, e, t, t, e, t, t, e, t, t, e, t, t, 0);
  const __m128i shape = _mm_cmpeq_epi8(_mm_and_si128(bytes, looked_at), wanted);
  const __m128i doubt =
      _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(e)), _mm_cmpeq_epi8(bytes, _mm_set1_epi8(char(0xED))));
  return _mm_movemask_epi8(shape) == 0xFFFF && (_mm_movemask_epi8(doubt) & 0x7FFF) == 0;
}

#endif

const char *fail(const char *p, const char *fault, StringEnd &found) noexcept {
  found.at = p;
  found.fault = fault;
  return nullptr;
}

const char *step_over_escape(const char *p, const char *end, StringEnd &found) noexcept {
  found.escaped = true;
  if (end - p < 2) return fail(p, "ends inside an escape", found);
  switch (p[1]) {
    case '"':
    case '\\':
    case '/':
    case 'b':
    case 'f':
    case 'n':
    case 'r':
    case 't':
      return p + 2;
    case 'u':
      break;
    default:
      return fail(p, "unknown escape", found);
  }
  if (end - p < 6) return fail(p, "ends inside an escape", found);
  for (int i = 2; i < 6; ++i) {
    const char c = p[i];
    if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')))
      return fail(p, "\\u without four hexadecimal digits", found);
  }
  return p + 6;
}

const char *step_over_non_ascii(const char *p, const char *end, StringEnd &found) noexcept {
  const auto byte = [&p](int i) { return static_cast<unsigned char>(p[i]); };
#if defined(__SSE2__)
  while (end - p >= 16 && _mm_movemask_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i *>(p))) != 0) {
    const std::size_t plain = five_of_three_bytes(p) ? 15 : plain_utf8_of_16(p);
    if (plain == 0) break;
    p += plain;
  }
#endif
  while (p != end && byte(0) >= 0x80) {
    // Most of what is not ASCII is two or three bytes whose first leaves no doubt about the others.
    if (byte(0) >= 0xC2 && byte(0) < 0xE0 && end - p >= 2 && (byte(1) & 0xC0U) == 0x80) {
      p += 2;
      continue;
    }
    if (byte(0) > 0xE0 && byte(0) < 0xF0 && byte(0) != 0xED && end - p >= 3 && (byte(1) & 0xC0U) == 0x80 &&
        (byte(2) & 0xC0U) == 0x80) {
      p += 3;
      continue;
    }
    const CodePoint point = decode({p, static_cast<std::size_t>(end - p)});
    if (!point.valid || is_surrogate(point.value)) return fail(p, "bytes that are not UTF-8", found);
    p += point.size;
  }
  return p;
}

constexpr std::size_t most_readers = 3;

struct Readers {
  std::array<StringReader, most_readers> all{};
  std::size_t count = 0;
  void add(StringReader reader) noexcept { all[count++] = reader; }
};

Readers find_readers() noexcept {
  Readers readers;
  readers.add(read_string_plainly);
#if defined(__SSE2__)
  readers.add(read_string_sse2);
#endif
#if defined(DSH_AVX2)
  if (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("bmi") != 0)
    readers.add(read_string_avx2);
#endif
  return readers;
}

const Readers &readers() noexcept {
  static const Readers found = find_readers();
  return found;
}

}  // namespace

const char *step_over(const char *p, const char *end, StringEnd &found) noexcept {
  const auto c = static_cast<unsigned char>(*p);
  if (c == '\\') return step_over_escape(p, end, found);
  if (c < 0x20) return fail(p, "control character in a string", found);
  return step_over_non_ascii(p, end, found);
}

StringEnd read_string_plainly(const char * /*begin*/, const char *p, const char *end) noexcept {
  StringEnd found;
  for (;;) {
    p = skip_plain(p, end);
    if (p == end) {
      fail(p, "ends inside a string", found);
      return found;
    }
    if (*p == '"') {
      found.at = p;
      return found;
    }
    p = step_over(p, end, found);
    if (p == nullptr) return found;
  }
}

StringEnd read_string(const char *begin, const char *p, const char *end) noexcept {
  static const StringReader fastest = string_readers().back();
  return fastest(begin, p, end);
}

std::span<const StringReader> string_readers() noexcept { return {readers().all.data(), readers().count}; }

}  // namespace dsh::loader::json_scan
