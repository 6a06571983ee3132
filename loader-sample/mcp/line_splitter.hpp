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

  /// Where there is no memory for the line that is not whole yet, that one is lost.
  void add(std::string_view bytes);

  /// Nothing more comes: what is left is a line, too.
  void end() { ended_ = true; }

  enum class Loss { none, too_long, no_memory };

  /// The next line without its LF; none: it is not whole yet. Valid until the next call of any function.
  struct Line {
    std::string_view text;
    Loss loss = Loss::none;  ///< otherwise its text is lost
  };
  std::optional<Line> next();

 private:
  std::optional<Line> finish(std::string_view text, std::size_t end);
  void drop_taken();
  void lose_rest();

  std::size_t longest_;
  std::string buffer_;
  std::size_t start_ = 0;    // of the next line
  std::size_t scanned_ = 0;  // up to here no LF
  Loss loss_ = Loss::none;   // of the line that is not whole yet,
  std::size_t lost_at_ = 0;  // and where it would stand
  bool ended_ = false;
};

}  // namespace dsh::loader
