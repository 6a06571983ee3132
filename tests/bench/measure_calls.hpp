// Measures of calls in sessions in memory. Each answers one line of JSON; throws std::exception.
#pragma once

#include <cstddef>
#include <string>

#include "inputs.hpp"

namespace dsh::bench {

/// {"ours_us","limit_us"} for one call. A session in memory grows with every call, so ours gets a new
/// one for each of the stretches in which the two take turns.
std::string measure_call(std::size_t items, Content content, std::size_t calls);

/// {"tenths_us":[…]}: one call in each tenth of `calls` in one session.
std::string measure_calls(std::size_t items, std::size_t calls);

/// {"ours_alone_us","ours_together_us","limit_alone_us","limit_together_us"}: wall time of `calls` calls on
/// one thread, and on each of `count` threads at once, every thread with a session of its own.
std::string measure_threads(std::size_t count, std::size_t items, std::size_t calls);

}  // namespace dsh::bench
