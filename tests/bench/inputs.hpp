// Argument texts of todo_write calls, the same on every machine.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dsh::bench {

/// What the contents of the items look like.
enum class Content {
  ordinary,   ///< ASCII words, as models mostly write
  non_ascii,  ///< Chinese, accents and emoji, raw UTF-8
  padded,     ///< with white space around, which is trimmed
  escaped     ///< with quotes, backslashes, line ends and \u escapes
};

/// "ordinary", "non-ascii", "padded", "escaped"; throws std::invalid_argument for another word.
Content content_of(std::string_view word);

/// `count` texts of `items` items each, contents of about 40 bytes, in a fixed order.
std::vector<std::string> argument_texts(std::size_t items, Content content, std::size_t count = 32);

}  // namespace dsh::bench
