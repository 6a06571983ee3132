#include "view/history_view.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "view/cell_width.hpp"
#include "view/local_time.hpp"
#include "view/plan.hpp"
#include "view/plan_view.hpp"

namespace dsh::loader {
namespace {

PlanCounts count_items(const HistoryEntry &entry) {
  PlanCounts counts;
  for (const auto &item : entry.items) counts.add(status_of(item.status));
  return counts;
}

std::string entry_text(const HistoryEntry &entry, const Style &style) {
  if (entry.cleared) return "a turn starts: the plan is cleared";
  if (!entry.items.empty()) return summary(count_items(entry), between_counts.text(style));
  return entry.problem.empty() ? "the list is emptied" : "a malformed list";
}

/// Items of one kind of change, and how they are told.
struct Told {
  std::vector<std::string> contents;
  Mark mark;
  std::string_view word;
};

/// The changes in the order in which they are told. An item that arrives completed is told once.
std::vector<Told> told(const PlanChange &change) {
  const Mark check{"✓", "x", Paint::green};
  std::vector<Told> kinds = {{change.added, {"+", "+"}, "added"},
                             {change.started, {"▸", ">", Paint::yellow}, "started"},
                             {change.finished, check, "finished"},
                             {{}, check, "added, completed"},
                             {change.reopened, {"↺", "<", Paint::magenta}, "reopened"},
                             {change.dropped, {"−", "-", Paint::red}, "dropped"}};
  const std::unordered_set<std::string_view> added(change.added.begin(), change.added.end());
  const std::unordered_set<std::string_view> finished(change.finished.begin(), change.finished.end());
  std::erase_if(kinds[0].contents, [&](const std::string &content) { return finished.contains(content); });
  std::erase_if(kinds[2].contents, [&](const std::string &content) { return added.contains(content); });
  for (const std::string &content : change.finished)
    if (added.contains(content)) kinds[3].contents.push_back(content);
  std::erase_if(kinds, [](const Told &kind) { return kind.contents.empty(); });
  return kinds;
}

/// The words are padded, so that the contents stand below each other.
void add_changes(std::vector<std::string> &lines, const PlanChange &change, const Style &style) {
  const std::vector<Told> kinds = told(change);
  std::size_t widest = 8;
  for (const Told &kind : kinds) widest = std::max(widest, kind.word.size());
  for (const Told &kind : kinds) {
    std::string word(kind.word);
    word.resize(widest + 1, ' ');
    for (const std::string &content : kind.contents) {
      StyledLine line(style);
      line.add("  ").add(kind.mark.text(style), kind.mark.paint).add(" ").add(word, kind.mark.paint);
      lines.push_back(line.add(shown(content, style)).text());
    }
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
  add_changes(lines, entry.change, style);
  if (!entry.problem.empty()) {
    StyledLine line(style);
    line.add("  ! ", Paint::red).add(shown(entry.problem, style), Paint::red);
    lines.push_back(line.text());
  }
  return lines;
}

}  // namespace dsh::loader
