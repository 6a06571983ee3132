// How long the durability tests run: short by default, long with DSH_FULL=1; DSH_SEED repeats a run.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace dsh {

inline bool full_run() {
  const char *const value = std::getenv("DSH_FULL");
  return value != nullptr && std::string(value) == "1";
}

inline std::uint32_t test_seed(std::uint32_t otherwise) {
  const char *const value = std::getenv("DSH_SEED");
  const auto seed =
      value == nullptr ? otherwise : static_cast<std::uint32_t>(std::strtoul(value, nullptr, 10));
  std::printf("seed %u (DSH_SEED repeats it)%s\n", seed,
              full_run() ? ", full run" : "; DSH_FULL=1 runs longer");
  return seed;
}

}  // namespace dsh
