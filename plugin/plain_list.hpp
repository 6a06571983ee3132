// Functions of todo_list.hpp over parsed values: they take every text, and explain what they refuse. The
// rules stand here; the one-pass functions of quick_list.hpp only ever agree with them. A call is parsed as a
// whole, the lists of a log, which may be of any size, item by item.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "todo_list.hpp"

namespace dsh::todo::plain {

WrittenList read_call(std::string_view arguments, bool allow_parallel);
std::optional<std::string> find_fault(std::string_view data);
bool read_logged_list(std::string_view data, const Write &write);
void read_standing_list(std::string_view list, const Write &write);

}  // namespace dsh::todo::plain
