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

bool read_logged_list(std::string_view data, const Write &write) {
  return quick::read_logged_list(data, write) || plain::read_logged_list(data, write);
}

void read_standing_list(std::string_view list, const Write &write) {
  if (!quick::read_standing_list(list, write)) plain::read_standing_list(list, write);
}

}  // namespace dsh::todo
