// The functions of todo_list.hpp in one pass, for the lists that models and this plugin write. Each
// answers only where it would agree with its plain namesake, and else leaves the text to that.
#pragma once

#include <optional>
#include <string_view>

#include "todo_list.hpp"

namespace dsh::todo::quick {

/// The list of a call that passes every check.
std::optional<WrittenList> read_call(std::string_view arguments, bool allow_parallel);

/// True where a list in a log has no fault.
bool is_sound(std::string_view data);

/// Writes the list of an event. False, and nothing is written: it is left.
bool read_logged_list(std::string_view data, const Write &write);

/// The same for a list as readers see it, or null.
bool read_standing_list(std::string_view list, const Write &write);

}  // namespace dsh::todo::quick
