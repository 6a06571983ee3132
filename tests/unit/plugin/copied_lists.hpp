// The lists that a log holds, as texts of their own.
#pragma once

#include <string>
#include <string_view>

#include "todo_list.hpp"

namespace dsh::todo::test {

inline std::string logged_list(std::string_view data) {
  std::string room;
  return std::string(read_logged_list(data, room));
}

inline std::string standing_list(std::string_view list) {
  std::string room;
  return std::string(read_standing_list(list, room));
}

}  // namespace dsh::todo::test
