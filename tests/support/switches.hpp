// What the environment asks of the tests: DSH_FULL=1 runs the long ones long, DSH_SEED repeats a run.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

namespace dsh {

inline bool full_run() {
  const char *const value = std::getenv("DSH_FULL");
  return value != nullptr && std::string(value) == "1";
}

/// DSH_SEED, or else `otherwise`; told, so that a failure can be repeated.
inline std::uint32_t test_seed(std::uint32_t otherwise = std::random_device{}()) {
  const char *const value = std::getenv("DSH_SEED");
  const auto seed =
      value == nullptr ? otherwise : static_cast<std::uint32_t>(std::strtoul(value, nullptr, 10));
  std::printf("seed %u (DSH_SEED repeats it)\n", seed);
  return seed;
}

}  // namespace dsh
