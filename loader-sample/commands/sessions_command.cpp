#include <algorithm>
#include <array>
#include <filesystem>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/plan_fold.hpp"
#include "commands/advice.hpp"
#include "commands/commands.hpp"
#include "commands/loaded_host.hpp"
#include "commands/places.hpp"
#include "commands/reading_progress.hpp"
#include "log/session_list.hpp"
#include "text/error.hpp"
#include "text/json_array.hpp"
#include "text/json_text.hpp"
#include "text/shell_word.hpp"
#include "text/visible.hpp"
#include "view/cell_width.hpp"
#include "view/local_time.hpp"
#include "view/paragraph.hpp"
#include "view/plan_view.hpp"
#include "view/terminal.hpp"

namespace dsh::loader {
namespace {

struct Row {
  SessionEntry session;
  PlanCounts counts;
};

std::string row_json(const Row &row) {
  std::string text =
      "{\"id\":" + json_string(row.session.id) + ",\"damaged\":" + (row.session.damaged ? "true" : "false");
  if (row.session.doubled) text += ",\"doubled\":true";
  if (!row.session.error.empty()) text += ",\"error\":" + json_string(row.session.error);
  text += ",\"events\":" + std::to_string(row.session.events) + ",\"counts\":" + counts_json(row.counts);
  if (row.session.events > 0) text += ",\"time\":" + std::to_string(row.session.last_time);
  if (row.session.cwd) text += ",\"cwd\":" + json_string(*row.session.cwd);
  return text + '}';
}

/// The project that a session belongs to, for people; of the one that `mcp` serves where we are, that.
std::string place_of(const SessionEntry &session, const std::string &here, const Style &style) {
  std::string place = session.cwd ? shown(*session.cwd, style) : std::string();
  if (session.id == here) place += std::string(place.empty() ? "" : ", ") + "what mcp serves here";
  return place;
}

/// A session a line: its id, its events, its plan, when it last changed, its project; of a damaged one, and
/// of one whose id another has too, what is wrong. What a terminal is too narrow for goes on below, broken at
/// the same columns for all.
class Table {
 public:
  Table(const std::vector<Row> &rows, std::string here, const Style &style)
      : style_(style), here_(std::move(here)) {
    for (const Row &row : rows) {
      const Cells cells = cells_of(row);
      for (std::size_t i = 0; i < cells.size(); ++i)
        widths_[i] = std::max(widths_[i], cell_width(cells[i].text));
    }
    widths_.front() = std::min(widths_.front(), widest_id);
    std::size_t used = widths_.front();
    for (std::size_t i = 1; i < widths_.size(); ++i) {
      used += column_gap.size() + widths_[i];
      breaks_[i] = style.width != 0 && widths_[i] != 0 && used > style.width;
      if (breaks_[i]) used = indent.size() + widths_[i];
    }
  }

  std::string text(const Row &row) const {
    const Cells cells = cells_of(row);
    std::string text;
    StyledLine line(style_);
    std::string gap;  // what stands before the next cell that holds something
    const auto end_line = [&] {
      if (!line.text().empty()) text += line.text() + '\n';
      line = StyledLine(style_);
      gap = indent;
    };
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (breaks_[i]) end_line();
      const std::string fitting =
          i == 0 && style_.width != 0 ? cut(cells[i].text, widths_[i], style_.ellipsis()) : cells[i].text;
      if (!fitting.empty()) {
        line.add(gap).add(fitting, cells[i].paint);
        gap.clear();
      }
      gap.append(widths_[i] - std::min(widths_[i], cell_width(fitting)), ' ').append(column_gap);
    }
    if (!row.session.error.empty()) {
      if (style_.width != 0) end_line();
      line.add(style_.width != 0 ? indent : column_gap);
      const std::string error = (row.session.damaged ? "damaged: " : "") + shown(row.session.error, style_);
      return text + joined(hanging(line, error, 2 * indent.size(), Paint::red));
    }
    end_line();
    return text;
  }

 private:
  static constexpr std::string_view column_gap = "  ";
  static constexpr std::string_view indent = " ";
  static constexpr std::size_t widest_id = 40;

  struct Cell {
    std::string text;
    Paint paint = Paint::plain;
  };
  using Cells = std::array<Cell, 5>;

  Cells cells_of(const Row &row) const {
    const SessionEntry &session = row.session;
    Cells cells{{{shown(session.id, style_), Paint::bold}}};
    if (session.damaged) return cells;
    cells[1].text = std::to_string(session.events) + (session.events == 1 ? " event" : " events");
    cells[2].text = summary(row.counts, between_counts.text(style_));
    if (session.events > 0) cells[3] = {local_time(session.last_time), Paint::dim};
    cells[4] = {place_of(session, here_, style_), Paint::dim};
    return cells;
  }

  Style style_;
  std::string here_;
  std::array<std::size_t, std::tuple_size_v<Cells>> widths_{};
  std::array<bool, std::tuple_size_v<Cells>> breaks_{};  // a line ends before this column
};

/// How to tell a session from others with its id.
std::string doubled_text(const SessionEntry &session) {
  constexpr std::size_t longest_path = 4096;  // of what may be typed
  std::string text = "the session lies in more than one project directory; ";
  if (!session.cwd) return text + "this one is of no project, and opened once the others are moved away";
  if (session.cwd->size() > longest_path) return text + "--cwd says which is meant";
  return text + "--cwd " + shell_word(visible(*session.cwd)) + " opens this one";
}

/// A session beside its plan, of which there may be none for want of memory, as for want of a sound log.
Row row_of(SessionEntry session, const PlanFold &fold) {
  PlanCounts counts;
  try {
    counts = counts_of(fold.plan());
  } catch (const std::bad_alloc &) {
    session.damaged = true;
    session.error = "out of memory while it was read";
  }
  return {std::move(session), counts};
}

/// Every session of the root; with --cwd, those of that project.
std::vector<Row> read_sessions(const CommonOptions &common, const std::string &root, PlanFold &fold) {
  std::vector<Row> rows;
  ReadingProgress progress;
  const auto cwd = session_cwd(common);
  const StoredSessions stored(root, cwd, progress);
  list_sessions(
      root, [&](const SessionEntry &session) { fold.restart(session.id); },
      [&](const Event &event) { fold.take(event); },
      [&](SessionEntry session) {
        if (!stored.includes(session)) return;
        session.doubled = session.doubled && !cwd;
        if (session.doubled && !session.damaged) session.error = doubled_text(session);
        rows.push_back(row_of(std::move(session), fold));
      },
      progress);
  return rows;
}

/// What mcp serves where we are; empty where that can't be told.
std::string session_here(const CommonOptions &common) {
  try {
    return directory_session(common);
  } catch (const Error &) {
    return {};
  }
}

/// Where there is nothing to list, what was looked for, and what to do.
std::string nothing_found(const CommonOptions &common, const std::string &root) {
  const auto cwd = session_cwd(common);
  std::error_code error;
  std::string text = "no sessions" + (cwd ? " of the project " + *cwd : "") + " under " + root;
  if (!std::filesystem::exists(root, error)) text += ", which does not exist yet";
  text += cwd ? "; without --cwd, those of every project are listed"
              : "; " + with_our_sessions("call TOOL ARGUMENTS --session ID", common) + " creates one";
  return text + other_root_remark(root);
}

/// A root that isn't there yet has no sessions; but nobody can make one where a link leads nowhere.
void require_no_dangling_link(const std::string &root) {
  std::error_code error;
  for (std::filesystem::path path = root; !path.empty() && !std::filesystem::exists(path, error);
       path = path.parent_path())
    if (std::filesystem::is_symlink(path, error))
      throw Error("can't read the sessions under " + root + ": " + path.string() + " is a link to " +
                  std::filesystem::read_symlink(path, error).string() +
                  ", where nothing is; make that directory, or choose another place with --sessions");
}

}  // namespace

int sessions_command(const CommonOptions &common, const Output &output) {
  if (common.memory) throw Error("sessions lists what is on disk: leave out --memory");
  LoadedHost host(common, Keep::memory);
  host.load_or_name_file();
  PlanFold fold(*host);
  const std::string root = sessions_root(common);
  require_no_dangling_link(root);
  const std::vector<Row> rows = read_sessions(common, root, fold);

  if (common.json) {
    output.write_json("{\"sessions\":" + json_array(rows, row_json) + "}\n");
  } else if (rows.empty()) {
    complain(nothing_found(common, root));
  } else {
    const Table table(rows, session_here(common), detect_style(output.descriptor()));
    std::string text;
    for (const Row &row : rows) text += table.text(row);
    output.write(text);
  }
  const bool sound =
      std::all_of(rows.begin(), rows.end(), [](const Row &row) { return row.session.error.empty(); });
  return sound ? exit_done : exit_found;
}

}  // namespace dsh::loader
