// An array in a JSON text, read element by element: a list may be long, of which one element at a time is
// held.
#pragma once

#include <boost/json/value.hpp>
#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>

#include "json_parser.hpp"

namespace dsh::todo {

class JsonElements {
 public:
  /// The array that the text is, or that a member of it is: of duplicate keys the last one counts. Keeps the
  /// views. Throws as Document does.
  JsonElements(std::string_view text, std::string_view what,
               std::optional<std::string_view> member = std::nullopt);

  /// Is it one? Else there are no elements.
  bool is_array() const noexcept { return array_ != 0; }

  /// Calls each(element) for one after the other, until it returns false. The values are those of a Document;
  /// they live during the call.
  void each(const std::function<bool(const boost::json::value &)> &each) const;

 private:
  ParserInput input_;
  std::optional<std::string_view> member_;
  std::size_t array_;  ///< which of the arrays that stand in its place, from 1 on; 0: none
};

}  // namespace dsh::todo
