// Texts of several lines, put together for output.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "view/styled_line.hpp"

namespace dsh::loader {

/// shown(), line by line: the text's own line breaks stay.
std::string shown_lines(std::string_view text, const Style &style);

/// The lines with an LF after each.
std::string joined(const std::vector<std::string> &lines);

}  // namespace dsh::loader
