#include "view/plan_view.hpp"

#include <algorithm>

#include "view/cell_width.hpp"

namespace dsh::loader {
namespace {

constexpr std::size_t bar_cells = 30;
constexpr std::size_t item_indent = 2;

Mark status_mark(Status status) {
  switch (status) {
    case Status::completed:
      return {"✓", "[x]", Paint::green};
    case Status::in_progress:
      return {"▸", "[>]", Paint::yellow};
    case Status::pending:
      return {"◦", "[ ]", Paint::dim};
    case Status::other:
      break;
  }
  return {"?", "[?]", Paint::magenta};
}

Paint content_paint(Status status) {
  if (status == Status::completed) return Paint::dim;
  return status == Status::in_progress ? Paint::bold : Paint::plain;
}

/// The counts in as many lines as they need, broken between one and the next.
void add_counts(std::vector<std::string> &lines, std::string_view counts, const Style &style) {
  const std::string_view separator = between_counts.text(style);
  std::string line;
  while (!counts.empty()) {
    const std::size_t end = std::min(counts.find(separator), counts.size());
    const std::string_view part = counts.substr(0, end);
    counts.remove_prefix(std::min(end + separator.size(), counts.size()));
    if (!line.empty() && cell_width(line) + cell_width(separator) + cell_width(part) > style.width) {
      lines.push_back(StyledLine(style).add(line).text());
      line.clear();
    }
    if (!line.empty()) line += separator;
    line += part;
  }
  lines.push_back(StyledLine(style).add(line).text());
}

/// Title and counts on one line, or the counts below where it is too narrow.
void add_heading(std::vector<std::string> &lines, std::string_view counts, const Style &style) {
  StyledLine line(style);
  line.add("To-dos", Paint::bold);
  if (style.width != 0 && line.room() < cell_width(counts) + 2) {
    lines.push_back(line.text());
    add_counts(lines, counts, style);
  } else {
    lines.push_back(line.add("  ").add(counts).text());
  }
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string out;
  for (; times > 0; --times) out += text;
  return out;
}

/// Done, active and the rest in proportion, then `1/4`. What is done rounds down, so that the bar is full
/// only when all is; what is active is seen however little it is. The marks differ where there is no colour,
/// too.
std::string bar_line(const PlanCounts &counts, const Style &style) {
  const std::string label = " " + std::to_string(counts.completed) + "/" + std::to_string(counts.total());
  StyledLine line(style);
  const std::size_t brackets = style.unicode ? 0 : 2;
  const std::size_t taken = label.size() + brackets;
  const std::size_t cells = std::min(bar_cells, line.room() > taken ? line.room() - taken : 0);
  const std::size_t done = counts.completed * cells / counts.total();
  const std::size_t left = cells - done;
  std::size_t active = 0;
  if (counts.in_progress > 0 && left > 0)
    active = std::max<std::size_t>(counts.in_progress * left / (counts.total() - counts.completed), 1);
  const Mark filled{"▰", "#"};
  const Mark started{"▸", ">"};  // as before the items
  const Mark open{"▱", "-"};
  if (!style.unicode) line.add("[");
  line.add(repeated(filled.text(style), done), Paint::green);
  line.add(repeated(started.text(style), active), Paint::yellow);
  line.add(repeated(open.text(style), left - active), Paint::dim);
  if (!style.unicode) line.add("]");
  return line.add(label).text();
}

/// What stands after the content of an item whose status is none of ours.
std::string unknown_status(const ShownItem &item, const Style &style) {
  if (item.status != Status::other) return {};
  const std::string word = item.status_text.empty() ? "no status" : shown(item.status_text, style);
  return " (" +
         (style.width == 0 ? word : cut(word, std::max<std::size_t>(style.width / 3, 1), style.ellipsis())) +
         ")";
}

void add_item(std::vector<std::string> &lines, const ShownItem &item, const Style &style) {
  const Mark mark = status_mark(item.status);
  const std::string status = unknown_status(item, style);
  const std::string content = shown(item.content, style);
  StyledLine line(style);
  line.add(std::string(item_indent, ' ')).add(mark.text(style), mark.paint).add(" ");
  if (style.width == 0) {
    lines.push_back(line.add(content, content_paint(item.status)).add(status, mark.paint).text());
  } else if (style.wrap && line.room() > 0) {
    const std::size_t indent = item_indent + cell_width(mark.text(style)) + 1;
    const std::string whole = content + status;
    for (const std::string_view row : wrap(whole, line.room())) {
      lines.push_back(line.add(row, content_paint(item.status)).text());
      line = StyledLine(style);
      line.add(std::string(indent, ' '));
    }
  } else {
    const std::size_t kept = cell_width(status);
    const std::size_t room = line.room() > kept ? line.room() - kept : line.room();
    line.add(cut(content, room, style.ellipsis()), content_paint(item.status)).add(status, mark.paint);
    lines.push_back(line.text());
  }
}

/// Which items are shown where there is room for `lines` of them only: those about the first that is active,
/// else about the first that is not completed.
std::pair<std::size_t, std::size_t> window(const ShownItems &items, std::size_t lines) {
  const auto is = [](Status status) {
    return [status](const ShownItem &item) { return item.status == status; };
  };
  auto focus = std::find_if(items.begin(), items.end(), is(Status::in_progress));
  if (focus == items.end()) focus = std::find_if_not(items.begin(), items.end(), is(Status::completed));
  const auto at = static_cast<std::size_t>(focus - items.begin());
  const std::size_t before = lines / 3;
  const std::size_t first = std::min(at > before ? at - before : 0, items.size() - lines);
  return {first, first + lines};
}

std::string hidden_line(std::size_t number, std::string_view where, const Style &style) {
  const std::string text = std::to_string(number) + " more " + std::string(where);
  return StyledLine(style)
      .add("  ")
      .add(style.unicode ? "⋮ " : ": ", Paint::dim)
      .add(text, Paint::dim)
      .text();
}

void add_items(std::vector<std::string> &lines, const ShownItems &items, const Style &style,
               std::size_t after) {
  const std::size_t used = lines.size() + after;
  if (style.height == 0 || used + items.size() <= style.height) {
    for (const ShownItem &item : items) add_item(lines, item, style);
    return;
  }
  // The two lines that say what is hidden take the place of items, too.
  const std::size_t room = style.height > used + 2 ? style.height - used - 2 : 1;
  Style unwrapped = style;
  unwrapped.wrap = false;
  const auto [first, last] = window(items, std::min(room, items.size()));
  if (first > 0) lines.push_back(hidden_line(first, "above", style));
  for (std::size_t i = first; i < last; ++i) add_item(lines, items[i], unwrapped);
  if (last < items.size()) lines.push_back(hidden_line(items.size() - last, "below", style));
}

}  // namespace

std::vector<std::string> plan_lines(const Plan &plan, const Style &style) {
  std::vector<std::string> lines;
  const std::vector<std::string> problem =
      plan.problem.empty() ? std::vector<std::string>() : problem_lines(plan.problem, style);
  const std::size_t after = problem.empty() ? 0 : problem.size() + 1;
  if (!plan.items) {
    if (plan.problem.empty()) add_heading(lines, "no plan", style);
  } else if (plan.items->empty()) {
    add_heading(lines, "empty", style);
  } else {
    const PlanCounts counts = count(*plan.items);
    add_heading(lines, summary(counts, between_counts.text(style)), style);
    // The bar, an empty line, an item between two that say what is hidden.
    constexpr std::size_t least_below = 5;
    if (style.height == 0 || lines.size() + least_below <= style.height) {
      lines.push_back(bar_line(counts, style));
      lines.emplace_back();
    } else {
      lines.resize(1);
    }
    add_items(lines, *plan.items, style, after);
  }
  if (!problem.empty() && !lines.empty()) lines.emplace_back();
  lines.insert(lines.end(), problem.begin(), problem.end());
  return lines;
}

std::vector<std::string> whole_lines(std::string_view foreign, const Style &style, Mark mark) {
  const std::string text = shown(foreign, style);
  const std::string_view head = mark.text(style);
  StyledLine line(style);
  line.add(head, mark.paint);
  if (style.width == 0) return {line.add(text, mark.paint).text()};
  std::vector<std::string> lines;
  for (const std::string_view row : wrap(text, std::max<std::size_t>(line.room(), 1))) {
    lines.push_back(line.add(row, mark.paint).text());
    line = StyledLine(style);
    line.add(std::string(cell_width(head), ' '));
  }
  return lines;
}

std::vector<std::string> problem_lines(std::string_view problem, const Style &style) {
  return whole_lines(problem, style, {"! ", "! ", Paint::red});
}

std::string plan_row(const ShownItems &items, const Style &style) {
  const PlanCounts counts = count(items);
  std::string head = std::to_string(counts.completed) + "/" + std::to_string(items.size()) + " completed";
  const auto active = std::find_if(items.begin(), items.end(),
                                   [](const ShownItem &i) { return i.status == Status::in_progress; });
  if (active == items.end()) return StyledLine(style).add(head).text();
  head += style.unicode ? " · " : " - ";
  head += shown(active->content, style);
  const std::string more = counts.in_progress > 1 ? " +" + std::to_string(counts.in_progress - 1) : "";
  if (style.width == 0) return head + more;
  const std::size_t room = style.width > more.size() ? style.width - more.size() : 0;
  return StyledLine(style).add(cut(head, room, style.ellipsis())).add(more, Paint::yellow).text();
}

}  // namespace dsh::loader
