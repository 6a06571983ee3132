#include "log/durable_storage.hpp"

#include "log/file_store.hpp"
#include "log/log_reader.hpp"
#include "log/log_search.hpp"
#include "log/log_writer.hpp"
#include "services/clock.hpp"
#include "services/storage.hpp"
#include "text/advised_error.hpp"
#include "text/error.hpp"
#include "text/shell_word.hpp"
#include "text/visible.hpp"

namespace dsh::loader {
namespace {

std::string cwd_text(const std::optional<std::string> &cwd) { return cwd ? "\"" + *cwd + "\"" : "no cwd"; }

[[noreturn]] void throw_other_cwd(const std::string &id, const std::optional<std::string> &stored,
                                  const std::optional<std::string> &wanted) {
  throw AdvisedError(
      "session \"" + id + "\" belongs to " + cwd_text(stored) + ", not to " + cwd_text(wanted),
      stored ? "work in its own with --cwd " + shell_word(visible(*stored)) + ", or take another session's id"
             : "leave out --cwd, or take another session's id");
}

SessionHeader read_header(FileOps &ops, const LogFile &log) {
  LogSource source(log, ops);
  LineReader reader(source.bytes(), 4096);  // a header is short, and is looked at often
  Line line;
  read_first_line(reader, line);
  return parse_header_line(line.text);
}

}  // namespace

void require_cwd(const LogFile &log, const std::string &id, const std::string &cwd, FileOps &ops) {
  const auto stored = read_header(ops, log).cwd;
  if (stored != cwd) throw_other_cwd(id, stored, cwd);
}

DurableStorage::DurableStorage(std::string root, FileOps &ops) : root_(std::move(root)), ops_(ops) {}

bool DurableStorage::exists(const std::string &id) const { return !find_session(ops_, root_, id).empty(); }

std::optional<LogFile> DurableStorage::stored(const std::string &id) const {
  const auto found = find_session(ops_, root_, id);
  if (found.empty()) return std::nullopt;
  if (found.size() > 1) {
    throw Error("session \"" + id + "\" lies in two project directories: " + found[0].path + " and " +
                found[1].path + "; move one of them away");
  }
  return found.front();
}

LogFile DurableStorage::find(const std::string &id) const {
  auto log = stored(id);
  if (!log) throw Error("no session \"" + id + "\" under " + root_);
  return *std::move(log);
}

std::unique_ptr<EventStore> DurableStorage::create(const std::string &id,
                                                   const std::optional<std::string> &cwd,
                                                   std::int64_t seed_length) const {
  const std::string directory = session_directory(root_, cwd, id);  // refuses impossible names
  for (const LogFile &log : find_session(ops_, root_, id)) {
    std::optional<std::string> stored;
    try {
      stored = read_header(ops_, log).cwd;
    } catch (const Error &) {
      break;  // damaged, but there
    }
    if (stored != cwd) throw_other_cwd(id, stored, cwd);
  }
  if (exists(id)) throw session_exists(id);
  SessionHeader header;
  header.id = id;
  header.cwd = cwd;
  header.created_at = now_ms();
  if (seed_length > 0) header.seed_length = seed_length;
  return std::make_unique<FileStore>(ops_, root_, std::move(header));
}

std::unique_ptr<EventStore> DurableStorage::open(const std::string &id, const std::optional<std::string> &cwd,
                                                 const Admit &admit) const {
  const LogFile log = find(id);
  const auto refuse = [&log](const std::string &why) { throw Error(why + " (" + log.path + ")"); };
  const auto refuse_damaged = [&log](const std::string &why) {
    throw AdvisedError(why + " (" + log.path + ")",
                       "loader-sample audit " + shell_word(visible(log.path)) +
                           " tells all that is wrong with it; other sessions are not concerned");
  };
  if (log.generation != written_log_format) {
    refuse("session \"" + id + "\" is stored in session log format " + format_in_name(log) +
           "; this program writes format " + std::to_string(written_log_format));
  }
  if (log.compressed) refuse("session \"" + id + "\" is stored compressed: that is read, not written");
  LogWriter writer = LogWriter::open(ops_, log.path);
  std::unique_ptr<FileStore> store;
  try {
    store = std::make_unique<FileStore>(ops_, std::move(writer), now_ms());
    const SessionHeader &header = store->header();
    if (!cwd || header.cwd == cwd) require_place(log, header);
  } catch (const Error &error) {
    refuse_damaged(error.text());
  }
  if (const auto &stored = store->header().cwd; cwd && stored != cwd) throw_other_cwd(id, stored, cwd);
  if (admit) admit(*store);
  store->settle();
  return store;
}

}  // namespace dsh::loader
