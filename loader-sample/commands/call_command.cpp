#include <unistd.h>

#include <algorithm>
#include <boost/json/value.hpp>
#include <filesystem>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "agent/agent_turn.hpp"
#include "agent/plan_fold.hpp"
#include "agent/result_json.hpp"
#include "commands/advice.hpp"
#include "commands/commands.hpp"
#include "commands/input_lines.hpp"
#include "commands/loaded_host.hpp"
#include "commands/places.hpp"
#include "text/advised_error.hpp"
#include "text/error.hpp"
#include "text/json_text.hpp"
#include "text/shell_word.hpp"
#include "text/utf.hpp"
#include "view/paragraph.hpp"
#include "view/plan_view.hpp"
#include "view/terminal.hpp"

namespace dsh::loader {
namespace {

bool is_stored(LoadedHost &host, const std::string &id) {
  return host.stored() != nullptr && host.stored()->exists(id);
}

bool is_there(const Tools &tools, const std::string &name) {
  const std::vector<ToolInfo> list = tools.list();
  return std::any_of(list.begin(), list.end(), [&](const ToolInfo &tool) { return tool.name == name; });
}

/// A new session, or the one that another process has made meanwhile.
std::shared_ptr<Session> created(LoadedHost &host, const std::string &id) {
  try {
    return host->sessions().create(id);
  } catch (const Error &) {
    if (!is_stored(host, id)) throw;
    return host->sessions().open(id);
  }
}

struct Called {
  ToolResult result;
  std::string lacking;  ///< what the log lacks of it, and why; empty: nothing
};

std::string lacking_of(const AgentTurn &turn) {
  if (turn.debt().empty()) return {};
  return std::string("the call counts, but the log lacks ") +
         (turn.owes_result() ? "its result and the end of its turn" : "the end of its turn") +
         ", which whoever writes it next closes as interrupted: " + turn.debt();
}

Called call(LoadedHost &host, const std::string &tool, const std::string &arguments, Session *session) {
  const Tools &tools = host->tools();
  if (session == nullptr) return {tools.call(tool, arguments, nullptr), {}};
  AgentTurn turn(tools, *session, {"loader-sample", "command-line"});
  ToolResult result = turn.call(tool, arguments, AgentTurn::Then::close);
  if (!turn.is_logged())
    throw AdvisedError(result.message, "nothing was logged: the call may be made again once that is mended");
  return {std::move(result), lacking_of(turn)};
}

/// The same in a session that is not on disk before its first event: another process may create it meanwhile.
/// Then nothing of the call is in any log, and it is made again in what the other has created.
Called call_in(LoadedHost &host, const CallRequest &request, const std::string &arguments,
               std::shared_ptr<Session> &session) {
  try {
    return call(host, request.tool, arguments, session.get());
  } catch (const Error &) {
    if (!session || session->size() != 0 || !is_stored(host, request.session)) throw;
  }
  session.reset();
  host->sessions().dispose(request.session);
  session = host->sessions().open(request.session);
  return call(host, request.tool, arguments, session.get());
}

/// For a person beside the result: what became of the plan, in one row.
std::string plan_remark(LoadedHost &host, Session &session, const Style &style) {
  try {
    const Plan plan = read_plan(parse_json(standing_plan(*host, session)));
    return plan.items ? plan_row(*plan.items, style) + '\n' : std::string();
  } catch (const Error &) {
    return {};  // the call is done, and its result told
  }
}

/// And where a new session is found again.
std::string place_remark(const std::string &id, const std::string &root, const Style &style) {
  const std::string place = std::filesystem::absolute(root).string();
  const std::string text = "new session " + shown(id, style) + ", kept under " + shown(place, style);
  return joined(hanging(StyledLine(style), text, 2, Paint::dim));
}

/// What the model would see: for a person, with nothing that a terminal obeys; for a program, as it is.
/// Returns the exit status.
int print(const ToolResult &result, const CommonOptions &common, const Output &output) {
  if (common.json)
    output.write_json(result_json(result) + '\n');
  else if (output.is_terminal())
    output.write(joined(shown_lines(result.text, 0, detect_style(output.descriptor()))));
  else
    output.write(to_utf8(result.text) + '\n');
  return result.is_error ? exit_found : exit_done;
}

/// Whoever has typed a "-" at a terminal has to know that it is his turn.
std::string arguments_of(const CallRequest &request) {
  if (request.arguments != "-") return request.arguments;
  InputLines input("-");
  input.prompt(
      "reading the arguments, one JSON object, from this terminal; Ctrl-D on a line of its own ends them");
  return input.rest();
}

void tell_person(LoadedHost &host, Session &session, const std::string &new_in_root) {
  const Style style = detect_style(STDERR_FILENO);
  std::string remarks = plan_remark(host, session, style);
  if (!new_in_root.empty()) remarks += place_remark(session.id(), new_in_root, style);
  (void)!::write(STDERR_FILENO, remarks.data(), remarks.size());
}

}  // namespace

int call_command(const CommonOptions &common, const CallRequest &request, const Output &output) {
  if (request.session.empty() && !request.no_agent && !common.memory)
    throw Error("call needs a session to work in: --session ID (or --no-agent, or --memory)");
  const std::string arguments = arguments_of(request);
  LoadedHost host(common, Keep::disk);
  host.load_or_name_file();
  // What was mistyped is no turn: it ends no plan, and makes no session.
  if (!is_there(host->tools(), request.tool)) {
    complain("there is no tool " + json_string(request.tool) +
             ": nothing was called, and no session changed; " + with_our_plugins("tools", common) +
             " lists those that are there");
    return print(host->tools().call(request.tool, arguments, nullptr), common, output);
  }
  const bool stored = !request.no_agent && is_stored(host, request.session);
  std::shared_ptr<Session> session;
  if (!request.no_agent)
    session = stored ? host->sessions().open(request.session) : created(host, request.session);
  int status = exit_cannot;
  const std::string place = with_our_sessions("plan --session " + shell_word(request.session), common);
  try {
    const Called called = call_in(host, request, arguments, session);
    status = print(called.result, common, output);
    if (!called.lacking.empty()) {
      complain(called.lacking);
      status = exit_cannot;
    }
  } catch (const ReaderGone &) {
    throw;
  } catch (const OutputFailure &failure) {
    if (host.stored() == nullptr || !session) throw;
    throw AdvisedError(failure.what(), "the call counts all the same: " + place + " shows the plan");
  } catch (const std::bad_alloc &) {
    if (host.stored() == nullptr || !session) throw;
    throw AdvisedError("out of memory",
                       "whether the call counts is in the log: " + place + " shows the plan");
  }
  const bool is_new = !stored && host.stored() != nullptr;
  if (!common.json && session && ::isatty(STDERR_FILENO) == 1)
    tell_person(host, *session, is_new ? sessions_root(common) : std::string());
  return status;
}

}  // namespace dsh::loader
