// The lists that a log holds, as texts of their own.
#pragma once

#include <string>
#include <string_view>

#include "plain_list.hpp"
#include "todo_list.hpp"

namespace dsh::todo::test {

template <class Read>
std::string copied_logged_list(std::string_view data, const Read &read) {
  std::string list;
  return read(data, [&](std::string_view part) { list += part; }) ? list : "null";
}

template <class Read>
std::string copied_standing_list(std::string_view list, const Read &read) {
  std::string view;
  read(list, [&](std::string_view part) { view += part; });
  return view;
}

inline std::string logged_list(std::string_view data) { return copied_logged_list(data, read_logged_list); }
inline std::string plain_logged_list(std::string_view data) {
  return copied_logged_list(data, plain::read_logged_list);
}

inline std::string standing_list(std::string_view list) {
  return copied_standing_list(list, read_standing_list);
}
inline std::string plain_standing_list(std::string_view list) {
  return copied_standing_list(list, plain::read_standing_list);
}

}  // namespace dsh::todo::test
