// What the place that output goes to can do.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "view/styled_line.hpp"

namespace dsh::loader {

struct ScreenSize {
  std::size_t columns = 0;  ///< 0: unknown
  std::size_t rows = 0;
};

/// The size of the terminal behind `descriptor`, 24 rows where it doesn't know; zeros where there is none.
ScreenSize screen_size(int descriptor);

/// A variable of the environment, empty where it is not set.
using Environment = std::function<std::string(const char *)>;
Environment process_environment();

/// How to draw on `descriptor`. A terminal has a width (COLUMNS makes it narrower, 80 where nobody knows) and
/// colour, unless NO_COLOR is set or TERM is missing or "dumb". Anything else, a pipe or a file, gets whole
/// lines without colour. Characters beyond ASCII are for either, where the locale is a UTF-8 one and TERM is
/// not "dumb".
Style detect_style(int descriptor, const Environment &environment = process_environment());

/// Can the cursor be moved there? Only then can lines be redrawn in place.
bool has_cursor(int descriptor, const Environment &environment = process_environment());

}  // namespace dsh::loader
