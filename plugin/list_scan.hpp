// Reads a todo list from JSON text in one pass, without building anything.
//
// It takes the lists that models and this plugin write: objects of `content` and `status` alone, in either
// order, however they are spaced and escaped. Anything else (another key, an escape in a key, another
// type, a text that is no JSON) it gives up on, without saying why: the plain functions of
// plain_list.hpp then read the text again. It never takes what they would refuse.
#pragma once

#include <cstddef>
#include <string_view>

#include "todo_list.hpp"

namespace dsh::todo {

/// An item as the text has it.
struct ScannedItem {
  std::string_view raw;   ///< the content as written between its quotes, sound JSON
  bool escaped = false;   ///< is there an escape in it?
  bool canonical = true;  ///< does every escape stand as JSON.stringify writes it?
  Status status = Status::pending;
  bool status_first = false;  ///< does it stand before the content?
};

class ListScan {
 public:
  enum class Form {
    bare,  ///< `[…]`
    keyed  ///< `{"todos":[…]}`
  };

  ListScan(std::string_view text, Form form) noexcept
      : begin_(text.data()), at_(begin_), end_(begin_ + text.size()), form_(form) {}

  /// Reads the next item. False after the last one, and from where the scan gave up on.
  bool next(ScannedItem &item);

  /// After next() said false: was that the end of the whole text?
  bool complete() const noexcept { return state_ == State::complete; }

  /// After the end: the text of the list alone.
  std::string_view list() const noexcept {
    return {list_begin_, static_cast<std::size_t>(list_end_ - list_begin_)};
  }

  /// After the end: does the text stand as JSON.stringify writes it, and each content before its status?
  bool verbatim() const noexcept { return verbatim_; }

 private:
  enum class State { first, later, complete, given_up };

  bool give_up() noexcept;
  bool open() noexcept;
  bool close() noexcept;
  void skip_space() noexcept;
  bool take(char c) noexcept;
  bool take(std::string_view text) noexcept;
  bool take_item(ScannedItem &item) noexcept;
  bool take_compact_item(ScannedItem &item) noexcept;
  bool take_content(ScannedItem &item) noexcept;
  bool take_status(ScannedItem &item) noexcept;

  const char *begin_;
  const char *at_;
  const char *end_;
  Form form_;
  State state_ = State::first;
  bool verbatim_ = true;
  const char *list_begin_ = nullptr;
  const char *list_end_ = nullptr;
};

}  // namespace dsh::todo
