// The clocks of the measurements, in microseconds.
#pragma once

#include <ctime>

namespace dsh::bench {

inline double microseconds(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

/// CPU time, user and system, of all threads of this process: what a busy machine leaves as it is.
inline double cpu_us() { return microseconds(CLOCK_PROCESS_CPUTIME_ID); }

inline double wall_us() { return microseconds(CLOCK_MONOTONIC); }

}  // namespace dsh::bench
