#include "view/cell_width.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <cstdint>

#include "text/utf.hpp"

namespace dsh::loader {
namespace {

constexpr std::uint32_t emoji_presentation = 0xFE0F;

bool is_regional_indicator(std::uint32_t c) { return c >= 0x1F1E6 && c <= 0x1F1FF; }
/// Vowels and finals that join the Hangul syllable before them.
bool is_joining_jamo(std::uint32_t c) { return (c >= 0x1160 && c <= 0x11FF) || (c >= 0xD7B0 && c <= 0xD7FF); }
/// Where emoji and ideographs newer than our tables will come: wide once they are there.
bool will_be_wide(std::uint32_t c) {
  return (c >= 0x1F000 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFF);
}

/// The width of a code point that stands alone.
std::size_t own_width(std::uint32_t c) {
  const auto point = static_cast<utf8proc_int32_t>(c);
  const auto width = static_cast<std::size_t>(std::max(0, utf8proc_charwidth(point)));
  switch (utf8proc_category(point)) {
    case UTF8PROC_CATEGORY_CN:
      return will_be_wide(c) ? 2 : std::max<std::size_t>(width, 1);
    case UTF8PROC_CATEGORY_MC:
      // Vowel signs that stand beside their letter: some terminals give them a cell.
      return c == 0x302E || c == 0x302F ? 0 : 1;
    case UTF8PROC_CATEGORY_CF:
      // Arabic number signs and their like have a glyph, joiners have none.
      return utf8proc_get_property(point)->boundclass == UTF8PROC_BOUNDCLASS_PREPEND ? 1 : width;
    default:
      return width;
  }
}

/// The width of a grapheme that has taken `width` cells so far, with `c` as well. Terminals that join emoji
/// show one glyph of two cells, those that don't show them all: what is there is added up.
std::size_t joined_width(std::size_t width, std::uint32_t c) {
  if (c == emoji_presentation || is_regional_indicator(c)) return std::max<std::size_t>(width, 2);
  if (width > 0 && is_joining_jamo(c)) return width;
  return width + own_width(c);
}

bool is_printable_ascii(char c) { return c >= 0x20 && c <= 0x7E; }

std::uint32_t for_tables(const CodePoint &point) { return is_surrogate(point.value) ? 0xFFFD : point.value; }

/// The start of the row after one that ends at the start of `rest`: without the spaces of the break.
std::string_view after_break(std::string_view rest) {
  return rest.substr(std::min(rest.find_first_not_of(' '), rest.size()));
}

}  // namespace

Grapheme first_grapheme(std::string_view text) {
  // Nothing in ASCII joins anything in ASCII: most of most texts needs no tables.
  if (is_printable_ascii(text[0]) && (text.size() == 1 || is_printable_ascii(text[1])))
    return {text.substr(0, 1), 1};
  CodePoint point = decode(text);
  std::size_t width = joined_width(0, for_tables(point));
  std::size_t size = point.size;
  utf8proc_int32_t state = 0;
  while (size < text.size()) {
    const CodePoint next = decode(text.substr(size));
    if (utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(for_tables(point)),
                                         static_cast<utf8proc_int32_t>(for_tables(next)), &state))
      break;
    width = joined_width(width, for_tables(next));
    size += next.size;
    point = next;
  }
  return {text.substr(0, size), width};
}

std::size_t cell_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const Grapheme grapheme = first_grapheme(text);
    width += grapheme.width;
    text.remove_prefix(grapheme.text.size());
  }
  return width;
}

std::string_view fitting_prefix(std::string_view text, std::size_t width) {
  std::size_t size = 0;
  while (size < text.size()) {
    const Grapheme grapheme = first_grapheme(text.substr(size));
    if (grapheme.width > width) break;
    width -= grapheme.width;
    size += grapheme.text.size();
  }
  return text.substr(0, size);
}

std::string cut(std::string_view text, std::size_t width, std::string_view ellipsis) {
  if (fitting_prefix(text, width).size() == text.size()) return std::string(text);
  const std::string_view mark = fitting_prefix(ellipsis, width);
  std::string row(fitting_prefix(text, width - cell_width(mark)));
  row += mark;
  return row;
}

std::vector<std::string_view> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string_view> rows;
  do {
    std::string_view row = fitting_prefix(text, width);
    if (row.size() < text.size()) {
      if (row.empty()) {
        text.remove_prefix(first_grapheme(text).text.size());
        continue;
      }
      const std::size_t space = text[row.size()] == ' ' ? row.size() : row.rfind(' ');
      if (space != std::string_view::npos && space > 0) row = row.substr(0, space);
    }
    text = after_break(text.substr(row.size()));
    rows.push_back(row.substr(0, row.find_last_not_of(' ') + 1));
  } while (!text.empty());
  if (rows.empty()) rows.emplace_back();
  return rows;
}

}  // namespace dsh::loader
