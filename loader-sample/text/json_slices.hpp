// The parts of a JSON object or array as they stand in the text: what has to be kept as written is passed
// on as a slice, never parsed and printed again.
#pragma once

#include <string_view>
#include <vector>

#include "text/json_reader.hpp"

namespace dsh::loader {

struct JsonMember {
  std::string_view key;    ///< with its quotes and escapes
  std::string_view value;  ///< without the whitespace around it
};

/// The members of the object `text`, in order, duplicates included. `text` has to be valid JSON.
std::vector<JsonMember> json_members(std::string_view text);

/// Calls each(element) for the elements of the array `text`, without the whitespace around them. `text` has
/// to be valid JSON.
template <typename Each>
void each_element(std::string_view text, const Each &each) {
  JsonReader reader(text);
  for (std::string_view element; reader.next_element() && reader.value(element);) each(element);
}

}  // namespace dsh::loader
