// Lines out of pieces of input, however they were cut. No I/O.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace dsh::loader {

/// Keeps what has come of the next line, `longest` bytes at most and what one piece brought. One thread.
class LineSplitter {
 public:
  explicit LineSplitter(std::size_t longest) : longest_(longest) {}

  void add(std::string_view bytes);

  /// Nothing more comes: what is left is a line, too.
  void end() { ended_ = true; }

  /// The next line without its LF; none: it is not whole yet. Valid until the next call of any function.
  struct Line {
    std::string_view text;
    bool too_long = false;  ///< and its text is lost
  };
  std::optional<Line> next();

 private:
  std::optional<Line> finish(std::string_view text);
  void drop_taken();

  std::size_t longest_;
  std::string buffer_;
  std::size_t start_ = 0;    // of the next line
  std::size_t scanned_ = 0;  // up to here no LF
  bool skipping_ = false;    // inside a line that is too long
  bool ended_ = false;
};

}  // namespace dsh::loader
