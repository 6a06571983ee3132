#include "log/place_rules.hpp"

#include "text/error.hpp"

namespace dsh::loader {
namespace {

/// Of a session's directory, which its project and its id give.
std::string last_two_names(const std::string &directory) {
  const std::size_t session = directory.find_last_of('/');
  if (session == std::string::npos || session == 0) return directory;
  const std::size_t project = directory.find_last_of('/', session - 1);
  return directory.substr(project == std::string::npos ? 0 : project + 1);
}

}  // namespace

void require_known_format(const LogFile &file) {
  if (file.generation > newest_log_format) throw unknown_format(format_in_name(file));
}

std::optional<std::string> format_problem(const LogFile &file, const SessionHeader &header) {
  if (file.generation < 0 || file.generation == header.version) return std::nullopt;
  return "the file's name says session log format " + std::to_string(file.generation) + ", its header says " +
         std::to_string(header.version);
}

std::optional<std::string> directory_problem(const LogFile &file, const SessionHeader &header) {
  std::string wanted;
  try {
    wanted = session_directory("", header.cwd, header.id);
  } catch (const Error &error) {
    return "its header is impossible: " + error.text();
  }
  const std::string directory = directory_of(file);
  if (directory.ends_with(wanted)) return std::nullopt;
  return "its header names session " + in_quotes(header.id) + " of " + cwd_text(header.cwd) +
         ", which belongs in " + wanted.substr(1) + ", not in " + last_two_names(directory);
}

void require_place(const LogFile &file, const SessionHeader &header) {
  for (const auto &problem : {format_problem(file, header), directory_problem(file, header)})
    if (problem) throw Error("corrupt session log: " + *problem);
}

}  // namespace dsh::loader
