#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>

#include "commands/commands.hpp"
#include "commands/loaded_host.hpp"
#include "commands/places.hpp"
#include "log/log_paths.hpp"
#include "mcp/end_signals.hpp"
#include "mcp/session_agent.hpp"
#include "mcp/stdio_server.hpp"
#include "text/error.hpp"

namespace dsh::loader {
namespace {

/// `mcp-` and 16 hexadecimal digits (FNV-1a): a client that starts us without a name for the session finds it
/// again where it works.
std::string session_of_directory(const std::string &directory) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : directory) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 0x100000001b3;
  }
  std::array<char, 24> text{};
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-vararg): a literal
  (void)std::snprintf(text.data(), text.size(), "mcp-%016llx", static_cast<unsigned long long>(hash));
  return text.data();
}

std::string working_directory(const CommonOptions &common) {
  if (const auto cwd = session_cwd(common)) return *cwd;
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  if (error) throw Error("the working directory is gone: name a session with --session ID");
  return here.string();
}

SessionAgent::Place place_of(const CommonOptions &common, const McpRequest &request, LoadedHost &host) {
  SessionAgent::Place place;
  place.session = request.session.empty() ? session_of_directory(working_directory(common)) : request.session;
  place.storage = host.stored();
  if (place.storage != nullptr) {
    place.directory = session_directory(sessions_root(common), session_cwd(common), place.session);
  }
  return place;
}

/// A client need not read what we log. A pipe of our own is opened anew for that: the one that we were given
/// may be another program's as well, which expects its writes to wait.
void let_stderr_overflow() {
  struct stat status {};
  if (fstat(STDERR_FILENO, &status) != 0) return;
  if (S_ISSOCK(status.st_mode)) {
    const int flags = fcntl(STDERR_FILENO, F_GETFL);
    if (flags >= 0) (void)fcntl(STDERR_FILENO, F_SETFL, flags | O_NONBLOCK);
  } else if (S_ISFIFO(status.st_mode)) {
    const int own = open("/proc/self/fd/2", O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (own < 0) return;
    (void)dup2(own, STDERR_FILENO);
    close(own);
  }
}

}  // namespace

int mcp_command(const CommonOptions &common, const McpRequest &request, const Output &output) {
  const EndSignals signals;
  let_stderr_overflow();
  output.discard_strays();
  LoadedHost host(common, Keep::disk);
  host.load_or_name_file();
  SessionAgent agent(*host, place_of(common, request, host));
  const auto note = [&](std::string_view text) { host.diagnostics().write(Level::warn, "mcp", text); };
  switch (serve_mcp(STDIN_FILENO, output.descriptor(), agent, signals, note)) {
    case McpEnd::answered:
      return kDone;
    case McpEnd::gone:
      throw Error("the client went without taking all answers");
    case McpEnd::stuck:
      break;
  }
  throw Error("the client took no answer for five seconds after the end of its requests");
}

}  // namespace dsh::loader
