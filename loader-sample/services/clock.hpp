// The time that events carry.
#pragma once

#include <cstdint>

namespace dsh::loader {

/// Milliseconds since the epoch. May step back, as the system's clock may.
std::int64_t now_ms() noexcept;

}  // namespace dsh::loader
