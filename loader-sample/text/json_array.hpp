// A JSON array, put together of the texts of its elements.
#pragma once

#include <string>

#include "text/json_text.hpp"

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

/// An array of strings. They are WTF-8.
template <typename Texts>
std::string json_strings(const Texts &texts) {
  return json_array(texts, [](const auto &text) { return json_string(text); });
}

}  // namespace dsh::loader
