// The types of events that a log of format 0 may hold.
#pragma once

#include <cstddef>
#include <string_view>

namespace dsh::loader {

/// Bytes. None of the types is longer: of a longer word no more is looked at.
inline constexpr std::size_t longest_event_type = 255;

/// Does log format 0 know this type? A log that holds another one is read only where the event says
/// that it may be ignored, and none is written. Formats 1 to 4 know more; no reader refuses any there.
bool is_known_event_type(std::string_view type);

}  // namespace dsh::loader
