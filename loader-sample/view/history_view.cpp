#include "view/history_view.hpp"

#include <algorithm>
#include <array>
#include <ctime>

namespace dsh::loader {
namespace {

struct ChangeLook {
  Mark mark;
  std::string_view word;
};

ChangeLook change_look(Change change) {
  switch (change) {
    case Change::added:
      return {{"+", "+", Paint::plain}, "added"};
    case Change::started:
      return {{"▸", ">", Paint::yellow}, "started"};
    case Change::finished:
      return {{"✓", "x", Paint::green}, "finished"};
    case Change::paused:
      return {{"◦", "o", Paint::dim}, "paused"};
    case Change::reopened:
      return {{"↺", "<", Paint::magenta}, "reopened"};
    case Change::dropped:
      return {{"−", "-", Paint::red}, "dropped"};
  }
  return {{"?", "?", Paint::plain}, "changed"};
}

std::string local_time(std::int64_t milliseconds) {
  const std::time_t seconds =
      static_cast<std::time_t>(milliseconds / 1000 - (milliseconds % 1000 < 0 ? 1 : 0));
  std::tm parts{};
  std::array<char, 64> text{};
  if (localtime_r(&seconds, &parts) == nullptr) return std::to_string(milliseconds) + " ms";
  const std::size_t size = std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &parts);
  return {text.data(), size};
}

std::string entry_text(const HistoryEntry &entry, const Style &style) {
  if (entry.turn_start) return entry.changes.empty() ? "a turn starts" : "a turn starts: the plan is cleared";
  if (!entry.plan.items) return entry.plan.problem;
  return entry.plan.items->empty()
             ? "the list is emptied"
             : summary(count(*entry.plan.items), style.unicode ? summary_separator : " - ");
}

}  // namespace

std::vector<std::string> history_lines(const HistoryEntry &entry, const Style &style) {
  std::vector<std::string> lines;
  lines.push_back(StyledLine(style)
                      .add(local_time(entry.time), Paint::dim)
                      .add("  ")
                      .add(shown(entry_text(entry, style), style), Paint::bold)
                      .text());
  for (const PlanChange &change : entry.changes) {
    const auto [mark, word] = change_look(change.what);
    std::string padded(word);
    padded.resize(std::max<std::size_t>(padded.size(), 9), ' ');
    lines.push_back(StyledLine(style)
                        .add("  ")
                        .add(mark.text(style), mark.paint)
                        .add(" ")
                        .add(padded, mark.paint)
                        .add(shown(change.item.content, style))
                        .text());
  }
  return lines;
}

}  // namespace dsh::loader
