// A time for people.
#pragma once

#include <cstdint>
#include <string>

namespace dsh::loader {

/// `2026-07-19 14:03:59` in the local time zone, of milliseconds since 1970-01-01 UTC: any value that a
/// log may hold.
std::string local_time(std::int64_t milliseconds);

}  // namespace dsh::loader
