// The events of a session's log that this plugin knows.
#pragma once

#include <dsh/abi.h>

#include <string_view>

namespace dsh::todo {

inline constexpr std::string_view todo_write = "todo/write";  ///< data: `{"todos":[…]}`, the whole list
inline constexpr std::string_view turn_start = "turn/start";
inline constexpr std::string_view turn_end = "turn/end";

/// As the tables of the contract name them.
constexpr dsh_str named(std::string_view type) noexcept { return {type.data(), type.size()}; }

}  // namespace dsh::todo
