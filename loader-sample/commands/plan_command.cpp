#include <algorithm>
#include <csignal>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "agent/plan_reader.hpp"
#include "commands/advice.hpp"
#include "commands/commands.hpp"
#include "commands/loaded_host.hpp"
#include "commands/places.hpp"
#include "commands/reading_progress.hpp"
#include "log/stored_sessions.hpp"
#include "text/error.hpp"
#include "text/json_array.hpp"
#include "text/json_text.hpp"
#include "text/shell_word.hpp"
#include "view/history_view.hpp"
#include "view/live_view.hpp"
#include "view/paragraph.hpp"
#include "view/plan_history.hpp"
#include "view/plan_markdown.hpp"
#include "view/plan_view.hpp"
#include "view/terminal.hpp"

namespace dsh::loader {
namespace {

StoredSessions stored_sessions(const CommonOptions &common) {
  return {sessions_root(common), session_cwd(common), system_file_ops()};
}

LogFile find_session_log(const CommonOptions &common, const std::string &id) {
  if (auto log = stored_sessions(common).log(id)) return *std::move(log);
  const std::string root = sessions_root(common);
  throw Error("no session \"" + id + "\" under " + root + "; " + with_our_sessions("sessions", common) +
              " lists those that are there" + other_root_remark(root));
}

/// What was met behind the plan that is shown.
std::string damage_text(const CommonOptions &common, const LogFile &log, std::uint64_t line,
                        const std::string &reason) {
  return dropped_text(line, reason) + " (" + log.path + "); " +
         with_our_plugins("audit " + shell_word(log.path), common) + " tells more";
}

int print_plan(const CommonOptions &common, const PlanRequest &request, const LogFile &log,
               const PlanReader &reader, const Output &output) {
  const PlanFold &fold = reader.standing();
  const Plan plan = fold.plan();
  const std::string problem = fold.problem();
  if (common.json) {
    std::string text = "{\"session\":" + json_string(request.session) + ",\"todos\":" + fold.json() +
                       ",\"counts\":" + counts_json(counts_of(plan)) +
                       ",\"asOfSeq\":" + std::to_string(reader.events() - 1);
    if (!problem.empty()) text += ",\"error\":" + json_string(problem);
    output.write_json(text + "}\n");
  } else if (request.markdown) {
    output.write(plan_markdown(plan));
  } else {
    Style style = detect_style(output.descriptor());
    style.wrap = request.wrap;
    output.write(joined(plan_lines(plan, style)));
  }
  if (!problem.empty() && !common.json) complain(problem);
  const auto dropped = reader.dropped();
  if (dropped) complain(damage_text(common, log, line_number_at(log, dropped->offset), dropped->reason));
  return problem.empty() && !dropped ? exit_done : exit_found;
}

std::vector<std::string> frame_lines(const CommonOptions &common, const PlanRequest &request,
                                     PlanReader &reader, Style style) {
  style.wrap = request.wrap;
  // Looked for each time: it may have been replaced, or not be there yet.
  const auto log = stored_sessions(common).log(request.session);
  if (!log)
    return whole_lines("waiting for session \"" + request.session + "\" under " + sessions_root(common),
                       style);
  reader.read(*log);
  return plan_lines(reader.standing().plan(), style);
}

int watch_plan(const CommonOptions &common, const PlanRequest &request, PlanReader &reader,
               const Output &output) {
  const int signal = show_live(
      output.descriptor(), [&](const Style &style) { return frame_lines(common, request, reader, style); },
      [&] { return stored_sessions(common).directories(request.session); });
  // Ctrl-C is how one leaves; any other signal ends the process as if it had not been held up.
  if (signal != 0 && signal != SIGINT) (void)std::raise(signal);
  return exit_done;
}

std::string item_json(const PlanItem &item) {
  return "{\"content\":" + json_string(item.content) + ",\"status\":" + json_string(item.status) + '}';
}

std::string entry_json(const HistoryEntry &entry) {
  std::string json = "{\"seq\":" + std::to_string(entry.seq) + ",\"time\":" + std::to_string(entry.time) +
                     ",\"cleared\":" + (entry.cleared ? "true" : "false");
  if (!entry.problem.empty()) json += ",\"problem\":" + json_string(entry.problem);
  const PlanChange &change = entry.change;
  return json + ",\"todos\":" + json_array(entry.items, item_json) +
         ",\"added\":" + json_strings(change.added) + ",\"started\":" + json_strings(change.started) +
         ",\"finished\":" + json_strings(change.finished) + ",\"reopened\":" + json_strings(change.reopened) +
         ",\"dropped\":" + json_strings(change.dropped) + '}';
}

/// All of it or nothing: a log may turn out to be damaged at its end, so it is read once before anything is
/// written. A history grows with its log; only the write at hand is held.
int print_history(const CommonOptions &common, const PlanRequest &request, const LogFile &log,
                  const Output &output) {
  bool written = false;
  bool sound = true;
  {
    ReadingProgress progress;
    const auto dropped = read_plan_history(
        log, [&](const HistoryEntry &) { written = true; }, progress);
    progress.wipe();
    if (dropped) {
      sound = false;
      complain(damage_text(common, log, dropped->line, dropped->reason));
    }
  }
  std::string_view separator;
  if (common.json) output.write_json("{\"session\":" + json_string(request.session) + ",\"history\":[");
  if (!common.json && !written) output.write("No plan was ever written.\n");
  const Style style = detect_style(output.descriptor());
  read_plan_history(log, [&](const HistoryEntry &entry) {
    if (common.json)
      output.write_json(std::string(std::exchange(separator, ",")) + entry_json(entry));
    else
      output.write(joined(history_lines(entry, style)));
    sound = sound && entry.problem.empty();
  });
  if (common.json) output.write_json("]}\n");
  return sound ? exit_done : exit_found;
}

}  // namespace

int plan_command(const CommonOptions &common, const PlanRequest &request, const Output &output) {
  if (request.session.empty())
    throw Error("plan needs to know of which session: --session ID; " +
                with_our_sessions("sessions", common) + " lists them");
  if (common.memory) throw Error("plan shows a session on disk: leave out --memory");
  if (request.history)
    return print_history(common, request, find_session_log(common, request.session), output);
  LoadedHost host(common, Keep::memory);
  host.load_or_name_file();
  ReadingProgress progress;  // a compressed log is read whole
  PlanReader reader(*host, request.watch ? system_file_ops() : progress);
  if (request.watch) return watch_plan(common, request, reader, output);
  const LogFile log = find_session_log(common, request.session);
  reader.read(log);
  progress.wipe();
  return print_plan(common, request, log, reader, output);
}

}  // namespace dsh::loader
