// Which unfinished items of a plan the next one drops.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dsh::loader {

/// What there is to say of a list that follows another.
struct ListRemarks {
  std::size_t dropped = 0;         ///< unfinished items of the former list that are not in this one
  std::vector<std::string> named;  ///< the first of them: their contents in WTF-8, the start of long ones
  bool extra_keys = false;         ///< an item has keys other than content and status
};

/// Remembers what is unfinished of one list, in less memory than its text has, however many items those are.
class UnfinishedItems {
 public:
  /// Compares the list of a `todo/write` event's data with the one before, and remembers it instead. Two
  /// items are the same if their contents are. Throws Error when it is no list; then nothing has changed.
  ListRemarks replace(std::string_view data);

  void clear();

 private:
  void remember(std::string_view data, std::size_t bytes);

  std::string contents_;  ///< each as in the text, between its quotes, and a line break, which none has
  std::size_t count_ = 0;
  std::string next_;  ///< of a short list that is looked at; its memory is used again
};

}  // namespace dsh::loader
