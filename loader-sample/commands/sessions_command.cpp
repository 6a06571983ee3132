#include <algorithm>
#include <string>
#include <vector>

#include "commands/commands.hpp"
#include "commands/loaded_host.hpp"
#include "commands/places.hpp"
#include "commands/plan_fold.hpp"
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

/// One line a session: when it last changed, its id, its events, its plan; of a damaged one, what is wrong.
class Table {
 public:
  Table(const std::vector<Row> &rows, const Style &style) : style_(style) {
    for (const Row &row : rows) id_width_ = std::max(id_width_, std::min(cell_width(id(row)), kWidestId));
  }

  std::string line(const Row &row) const {
    StyledLine line(style_);
    const std::string time = row.session.events > 0 ? local_time(row.session.last_time) : std::string();
    line.add(padded(time, kTimeWidth), Paint::dim)
        .add("  ")
        .add(padded(id(row), id_width_), Paint::bold)
        .add("  ");
    if (row.session.damaged)
      return line.add("damaged: " + shown(row.session.error, style_), Paint::red).text();
    const std::string events =
        std::to_string(row.session.events) + (row.session.events == 1 ? " event" : " events");
    line.add(padded(events, kEventsWidth));
    return line.add(summary(row.counts, style_.unicode ? summary_separator : " - ")).text();
  }

 private:
  static constexpr std::size_t kTimeWidth = 19;
  static constexpr std::size_t kEventsWidth = 14;
  static constexpr std::size_t kWidestId = 40;

  std::string id(const Row &row) const { return shown(row.session.id, style_); }

  std::string padded(const std::string &text, std::size_t width) const {
    const std::string fitting = style_.width == 0 ? text : cut(text, width, style_.ellipsis());
    return fitting + std::string(width - std::min(width, cell_width(fitting)), ' ');
  }

  Style style_;
  std::size_t id_width_ = 0;
};

}  // namespace

int sessions_command(const CommonOptions &common, const Output &output) {
  if (common.memory) throw Error("sessions lists what is on disk: leave out --memory");
  LoadedHost host(common, Keep::memory);
  host.load_or_name_file();
  PlanFold fold(*host);
  std::vector<Row> rows;
  const std::string root = sessions_root(common);
  list_sessions(
      root, [&] { fold.restart(); }, [&](const Event &event) { fold.take(event); },
      [&](const SessionEntry &session) {
        rows.push_back({session, counts_of(fold.plan())});
      });

  std::string text;
  if (common.json) {
    for (const Row &row : rows) text += (text.empty() ? "" : ",") + row_json(row);
    text = "{\"sessions\":[" + text + "]}\n";
  } else if (rows.empty()) {
    complain("no sessions under " + root + " yet");
  } else {
    const Table table(rows, detect_style(output.descriptor()));
    for (const Row &row : rows) text += table.line(row) + '\n';
  }
  output.write(text);
  const bool damaged =
      std::any_of(rows.begin(), rows.end(), [](const Row &row) { return row.session.damaged; });
  return damaged ? kFound : kDone;
}

}  // namespace dsh::loader
