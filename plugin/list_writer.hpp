// Writes a todo list as it goes into the log.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "todo_list.hpp"

namespace dsh::todo {

/// Appends `{"content":…,"status":…}`, and a comma before it unless it is the first behind a bracket.
/// `plain`: the content is known to hold nothing that needs an escape.
void append_item(std::string &list, std::string_view content, Status status, bool plain = false);

/// A list in the making.
class ListWriter {
 public:
  /// `arguments_size`: of the text that holds the list; nothing longer will be written.
  explicit ListWriter(std::size_t arguments_size) {
    constexpr std::size_t kRoomForCounts = 128;
    list_.data.reserve(arguments_size + kRoomForCounts);
    list_.data += R"({"todos":[)";
  }

  void add(std::string_view content, Status status, bool plain = false) {
    ++list_.counts.of(status);
    append_item(list_.data, content, status, plain);
  }

  const Counts &counts() const noexcept { return list_.counts; }

  WrittenList finish() {
    list_.data += "]}";
    return std::move(list_);
  }

 private:
  WrittenList list_;
};

}  // namespace dsh::todo
