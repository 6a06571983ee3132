// A JSON array, put together of the texts of its elements.
#pragma once

#include <string>

namespace dsh::loader {

/// `print` gives an element's JSON.
template <typename Items, typename Print>
std::string json_array(const Items &items, const Print &print) {
  std::string text = "[";
  for (const auto &item : items) {
    if (text.size() > 1) text += ',';
    text += print(item);
  }
  return text + ']';
}

}  // namespace dsh::loader
