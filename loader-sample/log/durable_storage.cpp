#include "log/durable_storage.hpp"

#include <new>
#include <vector>

#include "log/file_store.hpp"
#include "log/log_reader.hpp"
#include "log/log_search.hpp"
#include "log/log_writer.hpp"
#include "log/place_rules.hpp"
#include "log/session_owner.hpp"
#include "services/clock.hpp"
#include "text/advised_error.hpp"
#include "text/listed.hpp"

namespace dsh::loader {
namespace {

Error lies_in_several(const std::string &id, const std::vector<LogFile> &logs) {
  std::vector<std::string> paths;
  for (const LogFile &log : logs) paths.push_back(log.path);
  return Error("session \"" + id + "\" lies in " +
               (paths.size() == 2 ? "two" : std::to_string(paths.size())) +
               " project directories: " + listed(paths, " and ") +
               "; leave one of them there, or say with --cwd which project's is meant");
}

}  // namespace

DurableStorage::DurableStorage(std::string root, FileOps &ops) : root_(std::move(root)), ops_(ops) {}

bool DurableStorage::exists(const std::string &id) const { return !find_session(ops_, root_, id).empty(); }

/// The log that `id` means to those who work in `cwd`. One in a place of another directory is refused; of one
/// in its own the header has yet to be asked, for directories may share a place.
std::optional<LogFile> DurableStorage::located(const std::string &id,
                                               const std::optional<std::string> &cwd) const {
  if (cwd)
    if (auto own = find_log(ops_, session_directory(root_, cwd, id))) return own;
  const auto found = find_session(ops_, root_, id);
  if (found.empty()) return std::nullopt;
  if (cwd)
    require_cwd(found.front(), id, *cwd, ops_);
  else if (found.size() > 1)
    throw lies_in_several(id, found);
  return found.front();
}

std::optional<LogFile> DurableStorage::stored(const std::string &id,
                                              const std::optional<std::string> &cwd) const {
  auto log = located(id, cwd);
  if (log && cwd) require_cwd(*log, id, *cwd, ops_);
  return log;
}

LogFile DurableStorage::find(const std::string &id, const std::optional<std::string> &cwd) const {
  auto log = located(id, cwd);
  if (!log) throw Error("no session \"" + id + "\" under " + root_);
  return *std::move(log);
}

std::unique_ptr<EventStore> DurableStorage::create(const std::string &id,
                                                   const std::optional<std::string> &cwd,
                                                   std::int64_t seed_length) const {
  static_cast<void>(session_directory(root_, cwd, id));  // refuses impossible names
  require_new(ops_, root_, id, cwd);
  SessionHeader header;
  header.id = id;
  header.cwd = cwd;
  header.created_at = now_ms();
  if (seed_length > 0) header.seed_length = seed_length;
  return std::make_unique<FileStore>(ops_, root_, std::move(header));
}

std::unique_ptr<EventStore> DurableStorage::open(const std::string &id, const std::optional<std::string> &cwd,
                                                 const Admit &admit, const Remark &remark) const {
  const LogFile log = find(id, cwd);
  const auto refuse = [&log](const std::string &why) { throw Error(naming(log, why)); };
  if (log.generation != written_log_format)
    refuse("session \"" + id + "\" is stored in session log format " + format_in_name(log) +
           "; this program writes format " + std::to_string(written_log_format));
  if (log.compressed) refuse("session \"" + id + "\" is stored compressed: that is read, not written");
  LogWriter writer = LogWriter::open(ops_, log.path);
  std::unique_ptr<FileStore> store;
  try {
    store = std::make_unique<FileStore>(ops_, std::move(writer), now_ms());
    const SessionHeader &header = store->header();
    if (!cwd || header.cwd == cwd) {
      require_place(log, header);
      if (admit) admit(*store);
    }
  } catch (const AdvisedError &error) {
    rethrow_naming(log, error);  // the disk's fault, not the log's
  } catch (const Error &error) {
    throw DamagedLog(naming(log, error.text()), log.path);
  } catch (const std::bad_alloc &) {
    refuse("out of memory while the session was read");
  }
  if (const auto &stored = store->header().cwd; cwd && stored != cwd) throw_other_cwd(id, stored, cwd);
  store->settle();
  if (remark && !store->repairs().empty()) remark("session \"" + id + "\": " + store->repairs());
  return store;
}

}  // namespace dsh::loader
