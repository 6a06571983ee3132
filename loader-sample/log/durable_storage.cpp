#include "log/durable_storage.hpp"

#include <algorithm>
#include <new>

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

DurableStorage::DurableStorage(std::string root, FileOps &ops) : root_(std::move(root)), ops_(ops) {}

bool DurableStorage::exists(const std::string &id) const { return !find_session(ops_, root_, id).empty(); }

std::optional<LogFile> DurableStorage::stored(const std::string &id,
                                              const std::optional<std::string> &cwd) const {
  const auto found = find_session(ops_, root_, id);
  if (found.empty()) return std::nullopt;
  if (found.size() == 1) return found.front();
  if (cwd) {
    const std::string own = session_directory(root_, cwd, id) + "/";
    const auto log = std::find_if(found.begin(), found.end(),
                                  [&own](const LogFile &one) { return one.path.starts_with(own); });
    if (log != found.end()) return *log;
    throw_other_cwd(id, cwd_of(ops_, found.front()), cwd);
  }
  std::vector<std::string> paths;
  for (const LogFile &log : found) paths.push_back(log.path);
  throw Error("session \"" + id + "\" lies in " + (paths.size() == 2 ? "two" : std::to_string(paths.size())) +
              " project directories: " + listed(paths, " and ") +
              "; leave one of them there, or say with --cwd which project's is meant");
}

LogFile DurableStorage::find(const std::string &id, const std::optional<std::string> &cwd) const {
  auto log = stored(id, cwd);
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
