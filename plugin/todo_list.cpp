// Each function in one pass where that takes the text, else over a parsed document.
#include "todo_list.hpp"

#include <utility>

#include "plain_list.hpp"
#include "quick_list.hpp"

namespace dsh::todo {

WrittenList read_call(std::string_view arguments, bool allow_parallel) {
  if (std::optional<WrittenList> list = quick::read_call(arguments, allow_parallel)) return *std::move(list);
  return plain::read_call(arguments, allow_parallel);
}

std::optional<std::string> find_fault(std::string_view data) {
  if (quick::is_sound(data)) return std::nullopt;
  return plain::find_fault(data);
}

std::string_view read_logged_list(std::string_view data, std::string &room) {
  if (const std::optional<std::string_view> list = quick::read_logged_list(data)) return *list;
  room = plain::read_logged_list(data);
  return room;
}

std::string_view read_standing_list(std::string_view list, std::string &room) {
  if (list == "null" || quick::is_standing_list(list)) return list;
  room = plain::read_standing_list(list);
  return room;
}

}  // namespace dsh::todo
