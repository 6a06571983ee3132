#include "list_writer.hpp"

#include "json_text.hpp"

namespace dsh::todo {

void append_item(std::string &list, std::string_view content, Status status, bool plain) {
  if (list.back() != '[') list += ',';
  list += R"({"content":)";
  if (plain) {
    list += '"';
    list += content;
    list += '"';
  } else {
    append_quoted(list, content);
  }
  list += R"(,"status":")";
  list += kStatusNames[static_cast<std::size_t>(status)];
  list += "\"}";
}

}  // namespace dsh::todo
