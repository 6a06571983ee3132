// The types of events that this host writes or understands by itself. Plugins bring others.
#pragma once

#include <string_view>

namespace dsh::loader::event_type {

inline constexpr std::string_view assistant_chunk = "assistant/chunk";
inline constexpr std::string_view assistant_message = "assistant/message";
inline constexpr std::string_view end_seed = "session/end-seed";
inline constexpr std::string_view step_end = "step/end";
inline constexpr std::string_view step_start = "step/start";
inline constexpr std::string_view todo_write = "todo/write";
inline constexpr std::string_view tool_call = "tool/call";
inline constexpr std::string_view tool_result = "tool/result";
inline constexpr std::string_view turn_end = "turn/end";
inline constexpr std::string_view turn_start = "turn/start";
inline constexpr std::string_view user_message = "user/message";

}  // namespace dsh::loader::event_type
