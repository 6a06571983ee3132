#include "commands/commands.hpp"
#include "commands/input_lines.hpp"
#include "commands/loaded_host.hpp"
#include "commands/script.hpp"
#include "text/error.hpp"

namespace dsh::loader {
namespace {

bool says_nothing(std::string_view line) {
  return line.starts_with('#') || line.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

int run_command(const CommonOptions &common, const RunRequest &request, const Output &output) {
  InputLines lines(request.script);
  // In memory unless a place for sessions is named.
  LoadedHost host(common, common.sessions.empty() ? Keep::memory : Keep::disk);
  try {
    host.load();
  } catch (const Error &error) {
    output.write_answer(failure_answer(error.text()) + '\n');
    throw;
  }
  lines.prompt(
      "reading a script from this terminal, one JSON object a line: {\"op\":\"tools\"} answers what there "
      "is; "
      "Ctrl-D ends it");
  Script script(*host);
  while (const auto line = lines.next())
    if (!says_nothing(*line)) output.write_answer(script.answer(*line));
  return script.as_expected() ? exit_done : exit_found;
}

}  // namespace dsh::loader
