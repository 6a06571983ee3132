// How lines are drawn, and the building of one. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dsh::loader {

/// What the place that shows the lines can do.
struct Style {
  std::size_t width = 0;   ///< cells in a line; 0: no limit (a pipe)
  std::size_t height = 0;  ///< lines at most; 0: no limit
  bool colour = false;     ///< SGR sequences
  bool unicode = true;     ///< else ASCII alone
  bool wrap = false;       ///< long contents go on in the next line instead of ending in an ellipsis

  std::string_view ellipsis() const { return unicode ? "…" : "..."; }
};

/// `foreign` (any bytes) as visible() text for a line: a line end is `↵`; in ASCII it is an escape, as is
/// every other character. Of an enormous text, the part that can be seen.
std::string shown(std::string_view foreign, const Style &style);

enum class Paint { plain, bold, dim, green, yellow, magenta, red };

/// A character of our own that stands for something. Only such as are one cell wide in every locale.
struct Mark {
  std::string_view unicode;
  std::string_view ascii;
  Paint paint = Paint::plain;

  std::string_view text(const Style &style) const { return style.unicode ? unicode : ascii; }
};

/// `text` in a colour, where the style has colours.
std::string painted(std::string_view text, Paint paint, const Style &style);

/// One line, put together of pieces that are already visible(), never wider than the style allows: the
/// piece that does not fit is cut with an ellipsis, and nothing comes after it.
class StyledLine {
 public:
  explicit StyledLine(const Style &style) : style_(style) {}

  StyledLine &add(std::string_view text, Paint paint = Paint::plain);

  /// Cells that are left; practically endless where the style has no width.
  std::size_t room() const;
  const std::string &text() const { return text_; }
  const Style &style() const { return style_; }

 private:
  Style style_;
  std::string text_;
  std::size_t used_ = 0;
  bool full_ = false;
};

}  // namespace dsh::loader
