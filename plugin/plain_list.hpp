// Functions of todo_list.hpp over a parsed document: they take every text, and explain what they refuse. The
// rules stand here; the one-pass functions of quick_list.hpp only ever agree with them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "todo_list.hpp"

namespace dsh::todo::plain {

WrittenList read_call(std::string_view arguments, bool allow_parallel);
std::optional<std::string> find_fault(std::string_view data);
std::string read_logged_list(std::string_view data);
std::string read_standing_list(std::string_view list);

}  // namespace dsh::todo::plain
