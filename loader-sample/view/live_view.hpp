// Lines that follow what they show: `plan --watch`.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "view/styled_line.hpp"

namespace dsh::loader {

/// The lines of a frame: what is to be seen now, for a place of this style. An exception is shown in their
/// place; that of the first frame ends the view.
using DrawFrame = std::function<std::vector<std::string>(const Style &)>;

/// The directories in which what is to be seen may change, as of now.
using FrameSources = std::function<std::vector<std::filesystem::path>()>;

/// Shows frames on `descriptor` until it is told to end, and sleeps while nothing changes.
///
/// On a terminal it draws on the alternate screen, each frame in one write, and follows its size; it ends at
/// `q`, Ctrl-C or a signal, and steps aside for Ctrl-Z. In the background it is stopped, as whatever changes
/// a terminal from there; where nobody can bring it to the foreground, it ends. It leaves the terminal as it
/// found it, the last frame below. Elsewhere each frame that differs follows the former, with an empty line
/// between; it ends when the reader has gone. A signal ends it also while its output is not taken.
///
/// The calling thread's signals are blocked meanwhile; other threads should have SIGINT, SIGTERM, SIGHUP,
/// SIGQUIT, SIGWINCH, SIGTSTP and SIGCONT blocked. Returns the signal that ended it, 0 for none. Throws Error
/// where the terminal can't be used, and what the first frame throws.
int show_live(int descriptor, const DrawFrame &draw, const FrameSources &sources);

}  // namespace dsh::loader
