// Texts that go on in the next line, for commands that tell something at length. Pure functions over
// visible() text; lines come without line ends.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "view/styled_line.hpp"

namespace dsh::loader {

/// `text` behind `head`, broken at spaces into lines of at most the style's width; those after the first are
/// indented by `indent`. A word wider than that stands whole on a line of its own, so that a path can be
/// copied. Where the style has no width, this is one line.
std::vector<std::string> hanging(const StyledLine &head, std::string_view text, std::size_t indent,
                                 Paint paint = Paint::plain);

/// `foreign` (any bytes) as visible lines indented by `indent`: its own line breaks and indentation stay, and
/// what is too long hangs.
std::vector<std::string> shown_lines(std::string_view foreign, std::size_t indent, const Style &style);

/// Of a list of terms: `term` (indented by two) and from `column` on what it means; where that leaves a
/// narrow terminal too little room, what it means stands below.
std::vector<std::string> definition(std::string_view term, std::string_view meaning, std::size_t column,
                                    const Style &style);

/// Puts `more` behind `lines`.
void add_lines(std::vector<std::string> &lines, std::vector<std::string> more);

/// The lines with an LF after each.
std::string joined(const std::vector<std::string> &lines);

}  // namespace dsh::loader
