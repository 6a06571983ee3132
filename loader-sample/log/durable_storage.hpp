// Sessions on disk: creating, finding and opening them. The way in for the rest of the host.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "log/file_ops.hpp"
#include "log/log_paths.hpp"
#include "services/event_store.hpp"
#include "text/error.hpp"

namespace dsh::loader {

/// A log that can't be written on as it is: an audit tells all that is wrong with it.
class DamagedLog : public Error {
 public:
  DamagedLog(const std::string &text, std::string path) : Error(text), path_(std::move(path)) {}

  const std::string &path() const noexcept { return path_; }

 private:
  std::string path_;
};

/// The sessions under one root. Stateless but for the root: any thread.
class DurableStorage {
 public:
  /// `ops` outlives it, and the stores that it hands out.
  explicit DurableStorage(std::string root, FileOps &ops = system_file_ops());

  const std::string &root() const { return root_; }

  /// Is there a log of this id, sound or not, in any project directory?
  bool exists(const std::string &id) const;

  /// The log of a session, for reading (log_tail.hpp, log_audit.hpp); none where there is none. Throws Error
  /// where it belongs to another directory than `cwd`, naming both, and where none is given and several
  /// project directories hold one, which older programs let happen.
  std::optional<LogFile> stored(const std::string &id, const std::optional<std::string> &cwd = {}) const;

  /// The same, where there has to be one: throws Error also when there is none. A log in the place of `cwd`
  /// is not opened for that: its header may name another directory of that place, or none.
  LogFile find(const std::string &id, const std::optional<std::string> &cwd = {}) const;

  /// A store for a new session. Nothing is on disk before its first synced append, which publishes the
  /// log whole or not at all, and throws Error where someone else has published that id meanwhile, for
  /// whatever directory. Throws Error when it is on disk: `session "x" already exists`, or whose it is.
  /// `seed_length`: how many of its first events it will be seeded with.
  std::unique_ptr<EventStore> create(const std::string &id, const std::optional<std::string> &cwd,
                                     std::int64_t seed_length = 0) const;

  /// Sees the events that an opened store would hold, repairs included, before anything is written;
  /// throwing from it leaves the file as it was.
  using Admit = std::function<void(const EventStore &)>;
  /// Told in one line what was repaired, where whole lines were cut off or a turn was closed.
  using Remark = std::function<void(const std::string &)>;

  /// Opens a stored session to write, as its only writer: drops a torn tail, closes an interrupted
  /// turn, marks the end of the seed (`session/end-seed`), all on disk before it returns. Throws Error,
  /// the file untouched, when there is no such session, another process writes it (named), it is
  /// corrupt, of another format, has event types that this program doesn't know, or when `cwd` is given
  /// and isn't the session's.
  std::unique_ptr<EventStore> open(const std::string &id, const std::optional<std::string> &cwd = {},
                                   const Admit &admit = {}, const Remark &remark = {}) const;

 private:
  std::optional<LogFile> located(const std::string &id, const std::optional<std::string> &cwd) const;

  std::string root_;
  FileOps &ops_;
};

}  // namespace dsh::loader
