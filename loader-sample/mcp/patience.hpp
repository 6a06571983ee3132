// How long the server's end may take.
#pragma once

#include <chrono>

namespace dsh::loader {

/// Within this who is asked to end has to have ended, and who has asked his last has to take something of
/// what is left to take.
constexpr std::chrono::seconds mcp_patience{5};

}  // namespace dsh::loader
