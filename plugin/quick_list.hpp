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

/// The list of an event whose text JSON.stringify would write just so.
std::optional<std::string_view> read_logged_list(std::string_view data);

/// True where a list is its own view: nothing to drop, to move or to spell otherwise.
bool is_standing_list(std::string_view list);

}  // namespace dsh::todo::quick
