#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "commands/commands.hpp"
#include "commands/loaded_host.hpp"
#include "commands/places.hpp"
#include "commands/standard_input.hpp"
#include "mcp/end_signals.hpp"
#include "mcp/patience.hpp"
#include "mcp/session_agent.hpp"
#include "mcp/stdio_server.hpp"
#include "text/descriptor.hpp"
#include "text/error.hpp"

namespace dsh::loader {
namespace {

SessionAgent::Place place_of(const CommonOptions &common, const McpRequest &request, LoadedHost &host) {
  SessionAgent::Place place;
  place.session = request.session.empty() ? directory_session(common) : request.session;
  place.sessions = host.stored();
  return place;
}

/// For who looks into a client's log, or starts the server by hand.
void introduce(const SessionAgent::Place &place, int input, const Diagnostics &diagnostics) {
  const bool by_hand = isatty(input) == 1;
  std::string text = "serving the session " + place.session;
  if (place.sessions != nullptr)
    text += "; loader-sample plan --session " + place.session + " --watch shows its plan";
  if (by_hand)
    complain(text + "; this is for MCP clients, which speak JSON here: Ctrl-D ends it");
  else
    diagnostics.write(Level::info, "mcp", text);
}

/// A client need not read what we log: while this lives, a full stderr drops lines instead of waiting. What
/// we were given may be another program's as well, which expects its writes to wait. So a pipe is opened
/// anew; a socket cannot be, and gets its flags back.
class OverflowingStderr {
 public:
  OverflowingStderr() {
    struct stat status {};
    if (fstat(STDERR_FILENO, &status) != 0) return;
    if (S_ISSOCK(status.st_mode)) {
      flags_ = fcntl(STDERR_FILENO, F_GETFL);
      if (flags_ >= 0) (void)fcntl(STDERR_FILENO, F_SETFL, flags_ | O_NONBLOCK);
    } else if (S_ISFIFO(status.st_mode)) {
      const Descriptor own = opened_anew(STDERR_FILENO);
      if (own) (void)dup2(own.get(), STDERR_FILENO);
    }
  }
  ~OverflowingStderr() {
    if (flags_ >= 0) (void)fcntl(STDERR_FILENO, F_SETFL, flags_);
  }
  OverflowingStderr(const OverflowingStderr &) = delete;
  OverflowingStderr &operator=(const OverflowingStderr &) = delete;

 private:
  int flags_ = -1;
};

}  // namespace

int mcp_command(const CommonOptions &common, const McpRequest &request, const Output &output) {
  const EndSignals signals;
  const StandardInput input;
  const OverflowingStderr overflowing;
  output.discard_strays();
  LoadedHost host(common, Keep::disk);
  host.load_or_name_file();
  const SessionAgent::Place place = place_of(common, request, host);
  introduce(place, input.descriptor(), host.diagnostics());
  SessionAgent agent(*host, place);
  const auto note = [&](std::string_view text) { host.diagnostics().write(Level::warn, "mcp", text); };
  switch (serve_mcp(input.descriptor(), output.descriptor(), agent, signals, note)) {
    case McpEnd::answered:
      return exit_done;
    case McpEnd::gone:
      throw Error("the client went without taking all answers");
    case McpEnd::stuck:
      break;
  }
  throw Error("the client took no answer for " + std::to_string(mcp_patience.count()) +
              " seconds after the end of its requests");
}

}  // namespace dsh::loader
