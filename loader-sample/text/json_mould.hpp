// Checking values that differ in one string alone, as those of a log do.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "text/json_text.hpp"

namespace dsh::loader {

/// Remembers what stood around the last string of a value. In another value between the same bytes that
/// string alone can make a difference, and alone is looked at.
class JsonMould {
 public:
  /// Checks the value that `text` starts with, and finds what a scan of all of it finds. `size` are the bytes
  /// of the value and the space before it, or those before the fault. Of a sound value `spaced` and `lossy`
  /// are not told.
  JsonCheck check_first(std::string_view text, std::size_t &size);

  /// Does `text` start with a sound value like the last one, and of what size? False says nothing of it.
  bool fits(std::string_view text, std::size_t &size) const;

 private:
  std::string before_;  ///< up to the string's opening quote; empty: no value is known
  std::string behind_;  ///< from its closing quote on
};

}  // namespace dsh::loader
