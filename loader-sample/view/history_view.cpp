#include "view/history_view.hpp"

#include "view/cell_width.hpp"
#include "view/local_time.hpp"
#include "view/plan.hpp"

namespace dsh::loader {
namespace {

PlanCounts count_items(const HistoryEntry &entry) {
  PlanCounts counts;
  for (const auto &item : entry.items) counts.add(status_of(item.status));
  return counts;
}

std::string entry_text(const HistoryEntry &entry, const Style &style) {
  if (!entry.problem.empty()) return shown(entry.problem, style);
  if (entry.cleared) return "a turn starts: the plan is cleared";
  if (entry.items.empty()) return "the list is emptied";
  return summary(count_items(entry), style.unicode ? summary_separator : " - ");
}

/// `word` is padded, so that the contents stand below each other.
void add_changes(std::vector<std::string> &lines, const std::vector<std::string> &contents, const Mark &mark,
                 std::string_view word, const Style &style) {
  for (const std::string &content : contents) {
    StyledLine line(style);
    line.add("  ")
        .add(mark.text(style), mark.paint)
        .add(" ")
        .add(word, mark.paint)
        .add(shown(content, style));
    lines.push_back(line.text());
  }
}

}  // namespace

std::vector<std::string> history_lines(const HistoryEntry &entry, const Style &style) {
  const std::string text = entry_text(entry, style);
  StyledLine heading(style);
  heading.add(local_time(entry.time), Paint::dim);
  std::vector<std::string> lines;
  if (heading.room() < cell_width(text) + 2) {
    lines.push_back(heading.text());
    heading = StyledLine(style);
  } else {
    heading.add("  ");
  }
  lines.push_back(heading.add(text, Paint::bold).text());
  add_changes(lines, entry.change.added, {"+", "+"}, "added    ", style);
  add_changes(lines, entry.change.started, {"▸", ">", Paint::yellow}, "started  ", style);
  add_changes(lines, entry.change.finished, {"✓", "x", Paint::green}, "finished ", style);
  add_changes(lines, entry.change.reopened, {"↺", "<", Paint::magenta}, "reopened ", style);
  add_changes(lines, entry.change.dropped, {"−", "-", Paint::red}, "dropped  ", style);
  return lines;
}

}  // namespace dsh::loader
