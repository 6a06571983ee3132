// How many cells of a terminal a text takes, and cutting it there. Pure functions over WTF-8 text that
// is already visible() (one line, nothing that moves the cursor).
//
// The unit is the grapheme cluster (what a reader calls a character): an emoji joined of several people,
// a flag, a letter with its accents are never split. Where terminals
// disagree about a width the larger one is taken, so that a line never comes out wider than asked.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace dsh::loader {

/// The first grapheme of a text and its width in cells (0: nothing but marks and joiners).
struct Grapheme {
  std::string_view text;
  std::size_t width = 0;
};

/// The first grapheme of `text`, which is not empty.
Grapheme first_grapheme(std::string_view text);

/// The width of `text` in cells.
std::size_t cell_width(std::string_view text);

/// The longest start of `text`, in whole graphemes, that takes at most `width` cells.
std::string_view fitting_prefix(std::string_view text, std::size_t width);

/// `text` if it takes at most `width` cells, else as much of it as leaves room for `ellipsis`, and that.
std::string cut(std::string_view text, std::size_t width, std::string_view ellipsis);

/// `text` in rows of at most `width` cells, broken at spaces, inside a word only where it is longer than
/// a row. At least one row. A grapheme wider than `width` is left out. The rows are views into `text`.
std::vector<std::string_view> wrap(std::string_view text, std::size_t width);

}  // namespace dsh::loader
