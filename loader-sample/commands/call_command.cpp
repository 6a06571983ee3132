#include <memory>

#include "commands/agent_turn.hpp"
#include "commands/commands.hpp"
#include "commands/input_lines.hpp"
#include "commands/loaded_host.hpp"
#include "commands/result_json.hpp"
#include "commands/text_lines.hpp"
#include "text/error.hpp"
#include "text/utf.hpp"
#include "view/terminal.hpp"

namespace dsh::loader {
namespace {

std::shared_ptr<Session> open_or_create(LoadedHost &host, const std::string &id) {
  const StoredSessions *stored = host.stored();
  return stored != nullptr && stored->exists(id) ? host->sessions().open(id) : host->sessions().create(id);
}

ToolResult call(LoadedHost &host, const CallRequest &request, const std::string &arguments) {
  const Tools &tools = host->tools();
  if (request.no_agent) return tools.call(request.tool, arguments, nullptr);
  const auto session = open_or_create(host, request.session);
  return AgentTurn(tools, *session, {"loader-sample", "command-line"})
      .call(request.tool, arguments, AgentTurn::Then::close);
}

/// What the model would see: for a person, with nothing that a terminal obeys; for a program, as it is.
std::string shown_text(const std::string &text, const Output &output) {
  return output.is_terminal() ? shown_lines(text, detect_style(output.descriptor())) : to_utf8(text);
}

}  // namespace

int call_command(const CommonOptions &common, const CallRequest &request, const Output &output) {
  if (request.session.empty() && !request.no_agent && !common.memory) {
    throw Error("call needs a session to work in: --session ID (or --no-agent, or --memory)");
  }
  const std::string arguments = request.arguments == "-" ? InputLines("-").rest() : request.arguments;
  LoadedHost host(common, Keep::disk);
  host.load_or_name_file();
  const ToolResult result = call(host, request, arguments);
  output.write((common.json ? result_json(result) : shown_text(result.text, output)) + '\n');
  return result.is_error ? kFound : kDone;
}

}  // namespace dsh::loader
