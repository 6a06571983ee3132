#include "log/place_rules.hpp"

#include <string_view>

#include "text/error.hpp"

namespace dsh::loader {

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
  const std::string_view directory = std::string_view(file.path).substr(0, file.path.find_last_of('/'));
  if (directory.ends_with(wanted)) return std::nullopt;
  return "its header names session \"" + header.id + "\" of " +
         (header.cwd ? "\"" + *header.cwd + "\"" : "no cwd") + ", which belongs in " + wanted.substr(1);
}

void require_place(const LogFile &file, const SessionHeader &header) {
  for (const auto &problem : {format_problem(file, header), directory_problem(file, header)})
    if (problem) throw Error("corrupt session log: " + *problem);
}

}  // namespace dsh::loader
