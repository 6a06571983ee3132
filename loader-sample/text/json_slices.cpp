#include "text/json_slices.hpp"

namespace dsh::loader {

std::vector<JsonMember> json_members(std::string_view text) {
  std::vector<JsonMember> members;
  JsonReader reader(text);
  JsonString key;
  std::string_view value;
  while (reader.next_member(key) && reader.value(value))
    members.push_back({{key.raw.data() - 1, key.raw.size() + 2}, value});
  return members;
}

}  // namespace dsh::loader
