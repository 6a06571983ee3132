// Writes a todo list as it goes into the log.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "todo_list.hpp"

namespace dsh::todo {

/// What stands around the items in the data of an event.
inline constexpr std::string_view before_list = R"({"todos":[)";
inline constexpr std::string_view after_list = "]}";

/// Appends `{"content":…,"status":…}`. `content` is WTF-8.
void append_item(std::string &list, std::string_view content, Status status);

/// A list in the making whose text never moves, so that views into it may be kept.
class ListWriter {
 public:
  /// `arguments`: the text that holds the list. No list is longer than a text it is read from.
  explicit ListWriter(std::string_view arguments);

  /// Adds an item. `raw` is its content as it may stand between the quotes of JSON, `canonical` whether
  /// JSON.stringify would write it so; else it is respelt. Gives the content's place in the list; an empty
  /// view where there is no room for it, which only happens to what stood in no such text.
  std::string_view add(std::string_view raw, bool canonical, Status status) noexcept;

  const Counts &counts() const noexcept { return list_.counts; }

  WrittenList finish();

 private:
  void put(std::string_view text) noexcept;
  template <std::size_t Size>  // a literal's size is known where it is copied
  void put(const char (&text)[Size]) noexcept;
  void put_status(Status status) noexcept;

  WrittenList list_;
  char *at_;
};

/// Passes a list on while it is made: nothing in it is held but the item at hand.
class ListPieces {
 public:
  explicit ListPieces(const Write &write) : write_(write) {}

  /// Begins the next item. It is added by add(), or appended to the text that this gives.
  std::string &next_item();

  void add(std::string_view part);

  /// Behind the last item.
  void finish();

 private:
  void pass_on();

  const Write &write_;
  std::string text_ = "[";  ///< that is to be passed on
  bool first_ = true;
};

}  // namespace dsh::todo
