#include "commands/json_slices.hpp"

#include "log/json_reader.hpp"

namespace dsh::loader {

std::vector<JsonMember> json_members(std::string_view text) {
  std::vector<JsonMember> members;
  JsonReader reader(text);
  JsonString key;
  std::string_view value;
  while (reader.next_member(key) && reader.value(value)) {
    members.push_back({{key.raw.data() - 1, key.raw.size() + 2}, value});
  }
  return members;
}

std::vector<std::string_view> json_elements(std::string_view text) {
  std::vector<std::string_view> elements;
  JsonReader reader(text);
  std::string_view element;
  while (reader.next_element() && reader.value(element)) elements.push_back(element);
  return elements;
}

}  // namespace dsh::loader
