#include "view/paragraph.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "view/cell_width.hpp"

namespace dsh::loader {
namespace {

constexpr std::size_t term_indent = 2;
constexpr std::size_t meaning_indent = 6;
/// Less room than this beside a term is too little for a meaning.
constexpr std::size_t least_room = 24;

std::string_view without_blanks_at_end(std::string_view text) {
  return text.substr(0, text.find_last_not_of(' ') + 1);
}

/// The lines of one paragraph while they grow.
class Rows {
 public:
  Rows(const StyledLine &head, std::size_t indent, Paint paint)
      : style_(head.style()), paint_(paint), indent_(indent), before_(head.text()), room_(head.room()) {}

  void add(std::string_view word) {
    const std::size_t width = cell_width(word);
    const std::size_t gap = row_.empty() ? 0 : 1;
    if (used_ + gap + width > room_ && (!row_.empty() || gains_below())) end_row();
    if (!row_.empty()) {
      row_ += ' ';
      ++used_;
    }
    row_ += word;
    used_ += width;
  }

  std::vector<std::string> take() {
    end_row();
    return std::move(rows_);
  }

 private:
  /// Has a word that is first in its line more room in the next?
  bool gains_below() const {
    return rows_.empty() && room_ + indent_ < style_.width && !without_blanks_at_end(before_).empty();
  }

  void end_row() {
    const std::string_view row = without_blanks_at_end(row_);
    rows_.push_back(row.empty() ? std::string(without_blanks_at_end(before_))
                                : before_ + painted(row, paint_, style_));
    before_.assign(indent_, ' ');
    room_ = style_.width - std::min(style_.width, indent_);
    row_.clear();
    used_ = 0;
  }

  const Style &style_;
  const Paint paint_;
  const std::size_t indent_;
  std::string before_;  // what stands before the words of the line
  std::size_t room_;
  std::string row_;
  std::size_t used_ = 0;
  std::vector<std::string> rows_;
};

}  // namespace

std::vector<std::string> hanging(const StyledLine &head, std::string_view text, std::size_t indent,
                                 Paint paint) {
  Rows rows(head, indent, paint);
  for (;;) {
    const std::size_t end = text.find(' ');
    rows.add(text.substr(0, end));
    if (end == std::string_view::npos) return rows.take();
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string> shown_lines(std::string_view foreign, std::size_t indent, const Style &style) {
  std::vector<std::string> lines;
  for (;;) {
    const std::string_view line = foreign.substr(0, foreign.find('\n'));
    const std::size_t blanks = std::min(line.find_first_not_of(' '), line.size());
    StyledLine head(style);
    head.add(std::string(indent + blanks, ' '));
    const std::size_t below = indent + blanks + (blanks > 0 ? 2 : 0);
    for (std::string &row : hanging(head, shown(line.substr(blanks), style), below))
      lines.push_back(std::move(row));
    if (line.size() == foreign.size()) return lines;
    foreign.remove_prefix(line.size() + 1);
  }
}

std::vector<std::string> definition(std::string_view term, std::string_view meaning, std::size_t column,
                                    const Style &style) {
  StyledLine head(style);
  head.add(std::string(term_indent, ' ')).add(term, Paint::bold);
  const std::size_t used = term_indent + cell_width(term);
  if (style.width != 0 && style.width < column + least_room) {
    StyledLine below(style);
    below.add(std::string(meaning_indent, ' '));
    std::vector<std::string> lines = hanging(below, meaning, meaning_indent);
    lines.insert(lines.begin(), head.text());
    return lines;
  }
  head.add(std::string(used + 2 > column ? 2 : column - used, ' '));
  return hanging(head, meaning, column);
}

void add_lines(std::vector<std::string> &lines, std::vector<std::string> more) {
  std::move(more.begin(), more.end(), std::back_inserter(lines));
}

std::string joined(const std::vector<std::string> &lines) {
  std::string text;
  for (const std::string &line : lines) (text += line) += '\n';
  return text;
}

}  // namespace dsh::loader
