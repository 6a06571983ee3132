// The members of a JSON object as they stand in the text: what has to be kept as written is passed
// on as a slice, never parsed and printed again.
#pragma once

#include <string_view>
#include <vector>

namespace dsh::loader {

struct JsonMember {
  std::string_view key;    ///< with its quotes and escapes
  std::string_view value;  ///< without the whitespace around it
};

/// The members of the object `text`, in order, duplicates included. `text` has to be valid JSON.
std::vector<JsonMember> json_members(std::string_view text);

/// The elements of the array `text`, without the whitespace around them. `text` has to be valid JSON.
std::vector<std::string_view> json_elements(std::string_view text);

}  // namespace dsh::loader
