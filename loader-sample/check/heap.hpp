// How much memory a plugin has left behind.
#pragma once

#include <malloc.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace dsh::loader::check {

/// Bytes of the process's heap that are in use.
inline std::size_t heap_bytes() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return 0;  // the sanitizer's allocator keeps what is freed
#else
  const struct mallinfo2 info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
#endif
}

/// Runs `round` again and again, while `has_time()`, and returns how many bytes each leaves on the heap, once
/// the first ones have brought what is made once and kept: of two halves the one that leaves less, since a
/// few rounds do not tell much.
template <class Round, class HasTime>
std::size_t bytes_left_by(Round &&round, int warm, int rounds, HasTime &&has_time) {
  std::vector<std::size_t> after;
  after.reserve(static_cast<std::size_t>(warm + rounds));
  for (int i = 0; i < warm + rounds && (i < 5 || has_time()); ++i) {
    round(i);
    after.push_back(heap_bytes());
  }
  // As many of those that were made warm up as of those that were wanted.
  const std::size_t from =
      after.size() * static_cast<std::size_t>(warm) / static_cast<std::size_t>(warm + rounds);
  const auto each = [&after](std::size_t first, std::size_t last) {
    return after[last] > after[first] ? (after[last] - after[first]) / (last - first) : 0;
  };
  const std::size_t middle = (from + after.size() - 1) / 2;
  return std::min(each(from, middle), each(middle, after.size() - 1));
}

}  // namespace dsh::loader::check
