// JSON texts as JSON.parse reads them, and values as JSON.stringify writes them.
//
// Boost.JSON does the grammar and keeps the values. What it does otherwise than JavaScript is evened out
// here: it refuses lone surrogates and exponents beyond an int, rounds some numbers wrongly, tells -0
// from 0 only in part, knows three kinds of numbers, and writes them its own way.
#pragma once

#include <boost/json/monotonic_resource.hpp>
#include <boost/json/value.hpp>
#include <cstddef>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "refusal.hpp"

namespace dsh::todo {

/// How deep arrays and objects may nest. JSON.parse has no such bound; here the parser's stack frames
/// (about 100 bytes a level) have to fit the smallest stacks that threads get, half a megabyte.
constexpr std::size_t max_depth = 5000;

/// A text that is not JSON.
class NotJson : public Refusal {
 public:
  using Refusal::Refusal;
};

/// A parsed text. Every number in it is a double, as in JavaScript; strings are WTF-8; of duplicate keys
/// the last one's value stands at the first one's position.
class Document {
 public:
  /// `what` names the text in messages. Throws NotJson, or Refusal where the text is no UTF-8 or nests
  /// too deep: a text that JavaScript would have read (or never met).
  Document(std::string_view text, std::string_view what);
  Document(const Document &) = delete;
  Document &operator=(const Document &) = delete;

  const boost::json::value &root() const noexcept { return root_; }

 private:
  boost::json::monotonic_resource memory_;
  boost::json::value root_;
};

/// The member of `value` called `key`; null where there is none, or where `value` is no object.
const boost::json::value *member(const boost::json::value &value, std::string_view key) noexcept;

/// The text of a string value.
std::string_view text_of(const boost::json::string &string) noexcept;

/// The members in the order in which JavaScript lists them: names that are array indices (0 to
/// 4294967294, without leading zeros) ascending, then the others as written.
std::vector<const boost::json::key_value_pair *> own_members(const boost::json::object &object);

/// True where JSON can say every number in `value`: none is -0 or beyond the range of a double.
bool is_lossless(const boost::json::value &value);

/// Appends `value` as JSON.stringify writes it.
void append_json(std::string &out, const boost::json::value &value);

}  // namespace dsh::todo
