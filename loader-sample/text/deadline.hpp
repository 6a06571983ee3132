// How long there is to wait, as poll() wants to be told.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace dsh::loader {

/// In milliseconds, so that `end` has come when they are over; a week at most.
inline int milliseconds_until(std::chrono::steady_clock::time_point end) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 604'800'000));
}

}  // namespace dsh::loader
