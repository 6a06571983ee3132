// Does an answer hold what a line of a script expects? Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dsh::loader {

/// Compares two JSON texts: objects as subsets, arrays whole, in order, element by element, numbers by
/// value. None where `answer` holds `expected`; else `expected <json> got <json> at <path>`, for the
/// first place where it doesn't.
std::optional<std::string> mismatch(std::string_view expected, std::string_view answer);

}  // namespace dsh::loader
