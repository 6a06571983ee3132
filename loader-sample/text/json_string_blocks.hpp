// Reading a string 64 bytes at a time, whichever instructions look at them.
//
// What a block can't decide at once (\u, what is not ASCII, what is unsound) is left to step_over().
#pragma once

#include <cstddef>
#include <cstdint>

#include "text/json_string_scan.hpp"

namespace dsh::loader::json_scan {

// Each user is compiled for other instructions.
namespace {  // NOLINT(cert-dcl59-cpp): unnamed, so that no user shares code with another

/// What the bytes of a block are: a bit each, the first byte's lowest.
struct Looked {
  std::uint64_t odd;          ///< what step_over() has to look at, before the first quote
  std::uint64_t quotes;       ///< that aren't escaped
  std::uint64_t backslashes;  ///< before the first quote
  std::uint64_t escaped;      ///< the second bytes of escapes
  std::uint64_t carry;        ///< 1: the first byte behind the block is one, too
};

/// Looks at a block without its first `behind` bytes; `carry` is 1 where what comes then is escaped. `Block`
/// holds 64 bytes and tells which of them are quotes, backslashes, control characters or not ASCII
/// (`others`), and which of the escaped ones are none of `"\/bfnrt`.
template <typename Block>
inline Looked look(const Block &block, unsigned behind, std::uint64_t carry) noexcept {
  const std::uint64_t backslashes = block.backslashes() >> behind;
  // A run of backslashes is pairs from its start: the subtraction carries through each run.
  constexpr std::uint64_t odd_places = 0xAAAA'AAAA'AAAA'AAAA;
  const std::uint64_t unescaped = backslashes & ~carry;
  const std::uint64_t ends = (((unescaped << 1U) | odd_places) - unescaped) ^ odd_places;
  const std::uint64_t escaped = (ends ^ (backslashes | carry)) & (~std::uint64_t{0} >> behind);
  const std::uint64_t quotes = (block.quotes() >> behind) & ~escaped;
  const std::uint64_t inside = (quotes - 1) & ~quotes;
  const std::uint64_t odd = (block.others() >> behind) | (block.odd_escapes(escaped << behind) >> behind);
  return {odd & inside, quotes, backslashes & inside, escaped, (ends & backslashes) >> 63U};
}

template <typename Block>
StringEnd read_string_by_blocks(const char *begin, const char *p, const char *end) noexcept {
  constexpr std::ptrdiff_t width = 64;
  StringEnd found;
  std::uint64_t backslashes = 0;
  std::uint64_t carry = 0;
  for (;;) {
    Looked seen{};
    // No call in here, so that what the blocks are compared with stays in registers.
    while (end - p >= width) {
      seen = look(Block(p), 0, carry);
      backslashes |= seen.backslashes;
      if ((seen.odd | seen.quotes) != 0) break;
      p += width;
      carry = seen.carry;
    }
    if ((seen.odd | seen.quotes) == 0) {
      // Of what is left the text's last block is looked at, without the bytes before `p`.
      if (p == end || end - begin < width) break;
      seen = look(Block(end - width), static_cast<unsigned>(width - (end - p)), carry);
      backslashes |= seen.backslashes;
      if ((seen.odd | seen.quotes) == 0) break;
    }
    if (seen.odd == 0) return {p + __builtin_ctzll(seen.quotes), nullptr, found.escaped || backslashes != 0};
    const int place = __builtin_ctzll(seen.odd);
    p = step_over(p + place - (seen.escaped >> place & 1U), end, found);
    if (p == nullptr) return found;
    carry = 0;
  }
  const StringEnd rest = read_string_plainly(begin, p - carry, end);
  return {rest.at, rest.fault, rest.escaped || found.escaped || backslashes != 0};
}

}  // namespace
}  // namespace dsh::loader::json_scan
