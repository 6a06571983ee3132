#include "view/styled_line.hpp"

#include <array>
#include <cstdio>
#include <limits>

#include "text/utf.hpp"
#include "text/visible.hpp"
#include "view/cell_width.hpp"

namespace dsh::loader {
namespace {

/// No terminal is wider; what lies beyond is not worth looking at on every frame.
constexpr std::size_t longest_shown = 64UL * 1024;

/// `text` on one line: each line end (LF, CR, CRLF) is one `↵`, other characters are visible().
std::string one_line(std::string_view text) {
  std::string line;
  for (;;) {
    const std::size_t end = text.find_first_of("\r\n");
    line += visible(text.substr(0, end));
    if (end == std::string_view::npos) return line;
    line += "↵";
    text.remove_prefix(end + (text.substr(end).starts_with("\r\n") ? 2 : 1));
  }
}

/// Visible text for a terminal that knows ASCII alone.
std::string ascii(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const CodePoint point = decode(text);
    if (point.value < 0x80) {
      out += text.front();
    } else {
      std::array<char, 16> escape{};
      const char *format = point.value < 0x10000 ? "\\u%04x" : "\\u{%x}";
      (void)std::snprintf(escape.data(), escape.size(), format, static_cast<unsigned>(point.value));
      out += escape.data();
    }
    text.remove_prefix(point.size);
  }
  return out;
}

std::string_view sgr(Paint paint) {
  switch (paint) {
    case Paint::plain:
      return "";
    case Paint::bold:
      return "\x1b[1m";
    case Paint::dim:
      return "\x1b[2m";
    case Paint::green:
      return "\x1b[32m";
    case Paint::yellow:
      return "\x1b[33m";
    case Paint::magenta:
      return "\x1b[35m";
    case Paint::red:
      return "\x1b[31m";
  }
  return "";
}

}  // namespace

std::string shown(std::string_view foreign, const Style &style) {
  if (style.width != 0 && !style.wrap) foreign = foreign.substr(0, longest_shown);
  return style.unicode ? one_line(foreign) : ascii(visible(foreign));
}

std::string painted(std::string_view text, Paint paint, const Style &style) {
  if (!style.colour || paint == Paint::plain || text.empty()) return std::string(text);
  return std::string(sgr(paint)).append(text).append("\x1b[0m");
}

std::size_t StyledLine::room() const {
  if (style_.width == 0) return std::numeric_limits<std::size_t>::max();
  return style_.width - used_;
}

StyledLine &StyledLine::add(std::string_view text, Paint paint) {
  if (full_) return *this;
  if (style_.width == 0) {
    text_ += painted(text, paint, style_);
  } else {
    const std::string fitting = cut(text, room(), style_.ellipsis());
    full_ = fitting != text;
    used_ += cell_width(fitting);
    text_ += painted(fitting, paint, style_);
  }
  return *this;
}

}  // namespace dsh::loader
