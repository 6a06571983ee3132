// The schema of a todo list, the one that parameters_schema tells a model: what a parsed value does against
// it, in the order and the words of the reference.
#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <string_view>

#include "todo_list.hpp"

namespace dsh::todo::plain {

/// Are keys that the schema doesn't know allowed in an item? The arguments of a call may have none; a log
/// may hold what another program wrote.
enum class ExtraKeys { refused, allowed };

/// All violations of a call's arguments, the object with the list, joined by `; `: empty where there are
/// none.
std::string arguments_violations(const boost::json::value &arguments);

/// All violations of a list alone.
std::string list_violations(const boost::json::value &todos, ExtraKeys extra_keys);

/// What an item that passed the schema holds. The views lie in it.
std::string_view content_of(const boost::json::value &item);
Status status_of(const boost::json::value &item);

/// Does `text` spell a status?
bool is_status(std::string_view text) noexcept;

}  // namespace dsh::todo::plain
