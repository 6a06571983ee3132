#include "log/session_owner.hpp"

#include <vector>

#include "log/log_header.hpp"
#include "log/log_reader.hpp"
#include "log/log_search.hpp"
#include "services/storage.hpp"
#include "text/advised_error.hpp"
#include "text/shell_word.hpp"
#include "text/visible.hpp"

namespace dsh::loader {

std::optional<std::string> cwd_of(FileOps &ops, const LogFile &log) try {
  LogSource source(log, ops);
  LineReader reader(source.bytes(), 4096);  // a header is short, and is looked at often
  Line line;
  read_first_line(reader, line);
  return parse_header_line(line.text).cwd;
} catch (const Error &error) {
  rethrow_naming(log, error);
}

void throw_other_cwd(const std::string &id, const std::optional<std::string> &stored,
                     const std::optional<std::string> &wanted) {
  constexpr std::size_t longest_path = 4096;  // of what may be typed
  const bool sayable = stored && stored->size() <= longest_path;
  throw AdvisedError(
      "session " + in_quotes(id) + " belongs to " + cwd_text(stored) + ", not to " + cwd_text(wanted),
      (sayable  ? "work in its own with --cwd " + shell_word(visible(*stored)) + ", or "
       : stored ? ""
                : "leave out --cwd, or ") +
          std::string("take another session's id"));
}

void require_cwd(const LogFile &log, const std::string &id, const std::string &cwd, FileOps &ops) {
  const auto stored = cwd_of(ops, log);
  if (stored != cwd) throw_other_cwd(id, stored, cwd);
}

void require_new(FileOps &ops, const std::string &root, const std::string &id,
                 const std::optional<std::string> &cwd) {
  const std::vector<LogFile> logs = find_session(ops, root, id);
  if (logs.empty()) return;
  std::optional<std::string> stored;
  try {
    stored = cwd_of(ops, logs.front());
  } catch (const Error &) {
    throw session_exists(id);  // damaged, but there
  }
  if (stored != cwd) throw_other_cwd(id, stored, cwd);
  throw session_exists(id);
}

}  // namespace dsh::loader
