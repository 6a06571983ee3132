// Names as a sentence lists them.
#pragma once

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>

namespace dsh::loader {

/// `a, b, c`; where `last` is " or ", `a, b or c`.
template <typename Names>
std::string listed(const Names &names, std::string_view last = ", ") {
  constexpr std::string_view comma = ", ";
  std::string text;
  std::size_t left = std::size(names);
  for (const auto &name : names) {
    if (left < std::size(names)) text += left == 1 ? last : comma;
    text += name;
    --left;
  }
  return text;
}

}  // namespace dsh::loader
