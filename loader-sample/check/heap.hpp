// How much memory a plugin has left behind.
#pragma once

#include <malloc.h>

#include <cstddef>

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

/// Runs `round` again and again, and returns how many bytes each leaves on the heap, once the first ones have
/// brought what is made once and kept.
template <class Round>
std::size_t bytes_left_by(Round &&round, int warm, int rounds) {
  std::size_t settled = 0;
  for (int i = 0; i < warm + rounds; ++i) {
    if (i == warm) settled = heap_bytes();
    round(i);
  }
  const std::size_t now = heap_bytes();
  return (now > settled ? now - settled : 0) / static_cast<std::size_t>(rounds);
}

}  // namespace dsh::loader::check
