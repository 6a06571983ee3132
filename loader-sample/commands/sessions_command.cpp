#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "commands/commands.hpp"
#include "commands/loaded_host.hpp"
#include "commands/places.hpp"
#include "commands/plan_fold.hpp"
#include "commands/reading_progress.hpp"
#include "log/log_paths.hpp"
#include "log/session_list.hpp"
#include "text/error.hpp"
#include "text/json_text.hpp"
#include "view/cell_width.hpp"
#include "view/local_time.hpp"
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
  if (row.session.damaged) text += ",\"error\":" + json_string(row.session.error);
  return text + ",\"events\":" + std::to_string(row.session.events) +
         ",\"counts\":" + counts_json(row.counts) + '}';
}

/// The project that a session belongs to, for people; of the one that `mcp` serves where we are, that.
std::string place_of(const SessionEntry &session, const std::string &here, const Style &style) {
  std::string place = session.cwd ? shown(*session.cwd, style) : std::string();
  if (session.id == here) place += std::string(place.empty() ? "" : ", ") + "what mcp serves here";
  return place;
}

/// A session a line: its id, its events, its plan, when it last changed, its project; of a damaged one, what
/// is wrong. Where a terminal is too narrow for that, as many lines as it needs.
class Table {
 public:
  Table(const std::vector<Row> &rows, std::string here, const Style &style)
      : style_(style), here_(std::move(here)) {
    for (const Row &row : rows) {
      id_width_ = std::max(id_width_, std::min(cell_width(id(row)), kWidestId));
      events_width_ = std::max(events_width_, events(row).size());
      plan_width_ = std::max(plan_width_, cell_width(plan(row)));
    }
    const std::size_t width = id_width_ + events_width_ + plan_width_ + kTimeWidth + 3 * kGap.size();
    folded_ = style.width != 0 && width > style.width;
  }

  std::string text(const Row &row) const {
    const Cell name{id(row), id_width_, Paint::bold};
    if (row.session.damaged) {
      const Cell damage{"damaged: " + shown(row.session.error, style_), 0, Paint::red};
      return folded_ ? line({name}) + line({{}, damage}) : line({name, damage});
    }
    const Cell number{events(row), events_width_};
    const Cell counts{plan(row), plan_width_};
    const Cell changed{time(row), kTimeWidth, Paint::dim};
    const Cell place{place_of(row.session, here_, style_), 0, Paint::dim};
    return folded_ ? line({name, number}) + line({{}, counts}) + line({{}, changed, place})
                   : line({name, number, counts, changed, place});
  }

 private:
  static constexpr std::string_view kGap = "  ";
  static constexpr std::size_t kTimeWidth = 19;
  static constexpr std::size_t kWidestId = 40;

  struct Cell {
    std::string text;
    std::size_t width = 0;
    Paint paint = Paint::plain;
  };

  /// Up to the last cell that holds something; empty: none does.
  std::string line(std::vector<Cell> cells) const {
    while (!cells.empty() && cells.back().text.empty()) cells.pop_back();
    if (cells.empty()) return {};
    StyledLine line(style_);
    for (const Cell &cell : cells) {
      if (&cell != &cells.front()) line.add(kGap);
      line.add(&cell == &cells.back() ? cell.text : padded(cell.text, cell.width), cell.paint);
    }
    return line.text() + '\n';
  }

  std::string padded(const std::string &text, std::size_t width) const {
    const std::string fitting = style_.width == 0 ? text : cut(text, width, style_.ellipsis());
    return fitting + std::string(width - std::min(width, cell_width(fitting)), ' ');
  }

  std::string id(const Row &row) const { return shown(row.session.id, style_); }
  static std::string events(const Row &row) {
    return std::to_string(row.session.events) + (row.session.events == 1 ? " event" : " events");
  }
  std::string plan(const Row &row) const {
    return summary(row.counts, style_.unicode ? summary_separator : " - ");
  }
  static std::string time(const Row &row) {
    return row.session.events > 0 ? local_time(row.session.last_time) : std::string();
  }

  Style style_;
  std::string here_;
  std::size_t id_width_ = 0;
  std::size_t events_width_ = 0;
  std::size_t plan_width_ = 0;
  bool folded_ = false;
};

/// Every session of the root; with --cwd, those of that project.
std::vector<Row> read_sessions(const CommonOptions &common, const std::string &root, PlanFold &fold) {
  const auto cwd = session_cwd(common);
  const std::string project = cwd ? project_directory_name(cwd) : std::string();
  std::vector<Row> rows;
  ReadingProgress progress;
  list_sessions(
      root, [&] { fold.restart(); }, [&](const Event &event) { fold.take(event); },
      [&](const SessionEntry &session) {
        const bool wanted =
            !cwd || std::filesystem::path(session.directory).parent_path().filename() == project;
        if (wanted) rows.push_back({session, counts_of(fold.plan())});
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

}  // namespace

int sessions_command(const CommonOptions &common, const Output &output) {
  if (common.memory) throw Error("sessions lists what is on disk: leave out --memory");
  LoadedHost host(common, Keep::memory);
  host.load_or_name_file();
  PlanFold fold(*host);
  const std::string root = sessions_root(common);
  const std::vector<Row> rows = read_sessions(common, root, fold);

  std::string text;
  if (common.json) {
    for (const Row &row : rows) text += (text.empty() ? "" : ",") + row_json(row);
    text = "{\"sessions\":[" + text + "]}\n";
  } else if (rows.empty()) {
    const auto cwd = session_cwd(common);
    complain("no sessions" + (cwd ? " of " + *cwd : "") + " under " + root + " yet" +
             other_root_remark(root));
  } else {
    const Table table(rows, session_here(common), detect_style(output.descriptor()));
    for (const Row &row : rows) text += table.text(row);
  }
  output.write(text);
  const bool damaged =
      std::any_of(rows.begin(), rows.end(), [](const Row &row) { return row.session.damaged; });
  return damaged ? kFound : kDone;
}

}  // namespace dsh::loader
