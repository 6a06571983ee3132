#include "log/log_writer.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <cerrno>

#include "log/log_lock.hpp"
#include "log/log_paths.hpp"
#include "log/session_owner.hpp"
#include "log/temporary_log.hpp"
#include "services/storage.hpp"
#include "text/error.hpp"

namespace dsh::loader {
namespace {

/// Has the entries of a directory on disk. File systems that can't do that say EINVAL. A directory that
/// is `foreign`, made by others, may be closed to us: then its maker has to see to that.
void sync_directory(FileOps &ops, const std::string &path, bool foreign) {
  const File directory = open_file(ops, path, O_RDONLY | O_DIRECTORY);
  if (!directory && foreign && (errno == EACCES || errno == EPERM)) return;
  if (!directory) throw_errno("can't open the directory " + path);
  if (retried([&] { return ops.fsync(directory.fd()); }) != 0 && errno != EINVAL)
    throw_errno("can't bring the directory " + path + " to disk");
}

std::string parent_of(const std::string &path) {
  const std::size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// Makes a directory and what leads to it, each entry on disk. The entry of the deepest one that is
/// there already is synced too: whoever made it may have been killed before it could.
void make_directory(FileOps &ops, const std::string &path) {
  const std::string parent = parent_of(path);
  int made = ops.mkdir(path.c_str(), 0700);
  if (made != 0 && errno == ENOENT && parent != path) {
    make_directory(ops, parent);
    made = ops.mkdir(path.c_str(), 0700);  // some file systems say so although the parent is there
  }
  if (made == 0) {
    sync_directory(ops, parent, false);
    sync_directory(ops, parent_of(parent), true);
  } else if (errno == EEXIST) {
    sync_directory(ops, parent, true);
  } else {
    throw_errno("can't make the directory " + path);
  }
}

/// Gives a log its name, if no session of its id lies under the root. A link refuses a name that is there,
/// but an id may have a name in every project directory. So all who publish under a root take turns: to look
/// afterwards instead, and to withdraw where there are two, would show readers logs that never counted, and
/// a power cut might bring a withdrawn one back.
void publish(FileOps &ops, const std::string &root, const SessionHeader &header, const std::string &temporary,
             const std::string &path) {
  const PublishingTurn turn(ops, root);
  require_new(ops, root, header.id, header.cwd);
  if (ops.link(temporary.c_str(), path.c_str()) == 0) return;
  if (errno == EEXIST) throw session_exists(header.id);
  throw_errno("can't publish " + path);
}

/// Does the error of a stat say that the name leads to nothing?
bool leads_nowhere(int error) { return error == ENOENT || error == ENOTDIR || error == ELOOP; }

constexpr const char *and_now = "; nothing was written; open the session again and repeat it";

}  // namespace

/// Takes the name of what was published but isn't on disk. Under that name may lie another's log by now.
void LogWriter::take_back() const {
  struct ::stat held {};
  struct ::stat named {};
  if (ops_->fstat(file_.fd(), &held) != 0) throw_errno("can't look at " + path_);
  if (ops_->stat(path_.c_str(), &named) == 0) {
    if (!is_same_file(held, named) || ops_->unlink(path_.c_str()) == 0) return;
  }
  if (errno != ENOENT) throw_errno("can't take back " + path_);
}

LogWriter LogWriter::create(FileOps &ops, const std::string &root, const SessionHeader &header,
                            std::string_view bytes, std::optional<LogWriter> &leftover) {
  if (leftover) {
    leftover->take_back();
    leftover.reset();
  }
  const std::string directory = session_directory(root, header.cwd, header.id);
  make_directory(ops, root);
  make_directory(ops, parent_of(directory));
  make_directory(ops, directory);

  const std::string path = directory + "/session.jsonl";
  remove_stale_temporaries(ops, path, nullptr);
  // Locked before anyone can see it: who publishes is the writer.
  TemporaryLog made = make_temporary_log(ops, path);
  const std::string temporary = std::move(made.path);
  LogWriter writer(ops, std::move(made.file), temporary, 0);
  bool linked = false;
  try {
    writer.write_all(bytes);
    if (retried([&] { return ops.fsync(writer.file_.fd()); }) != 0)
      throw_errno("can't bring " + path + " to disk");
    writer.synced_ = true;
    publish(ops, root, header, temporary, path);
    linked = true;
    sync_directory(ops, directory, false);
  } catch (...) {
    if (linked && ops.unlink(path.c_str()) != 0) {
      writer.path_ = path;  // under both names: open() shall know that this one may not be on disk
      leftover = std::move(writer);
    } else {
      ops.unlink(temporary.c_str());
    }
    throw;
  }
  // A second name that no reader looks at: if it stays, the next writer's task.
  ops.unlink(temporary.c_str());
  writer.path_ = path;
  writer.length_ = bytes.size();
  return writer;
}

LogWriter LogWriter::open(FileOps &ops, const std::string &path) {
  // The log may be replaced between open and lock: then what we hold is no longer the log.
  for (int attempt = 0; attempt < 3; ++attempt) {
    File file = open_file(ops, path, O_RDWR | O_APPEND | O_NONBLOCK);
    if (!file) throw_errno("can't open " + path + " for writing");
    struct ::stat held {};
    struct ::stat named {};
    if (ops.fstat(file.fd(), &held) != 0) throw_errno("can't look at " + path);
    if (!S_ISREG(held.st_mode)) throw Error("can't write " + path + ": not a regular file");
    lock_log(ops, file, path);
    if (ops.fstat(file.fd(), &held) != 0) throw_errno("can't look at " + path);
    if (ops.stat(path.c_str(), &named) == 0 && is_same_file(held, named)) {
      // Under a second name, the temporary one: who published it may have been killed before that was on
      // disk.
      if (held.st_nlink > 1) sync_directory(ops, parent_of(path), true);
      remove_stale_temporaries(ops, path, &held);
      return {ops, std::move(file), path, static_cast<std::uint64_t>(held.st_size)};
    }
  }
  throw Error("can't write " + path + ": it was replaced again and again");
}

void LogWriter::write_all(std::string_view bytes) {
  if (!bytes.empty()) synced_ = false;
  while (!bytes.empty()) {
    const long written = ops_->write(file_.fd(), bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      throw_errno("can't write " + path_);
    }
    if (written == 0) {
      errno = ENOSPC;
      throw_errno("can't write " + path_);
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

/// Gives the file its former length. Throws Error; then the next append tries again first.
void LogWriter::roll_back() {
  truncate(length_);
  rollback_due_ = false;
}

void LogWriter::truncate(std::uint64_t length) {
  if (retried([&] { return ops_->ftruncate(file_.fd(), static_cast<std::int64_t>(length)); }) != 0)
    throw_errno("can't cut " + path_);
  synced_ = false;
  sync();
  length_ = length;
}

void LogWriter::sync() {
  if (synced_) return;
  if (retried([&] { return ops_->fdatasync(file_.fd()); }) != 0)
    throw_errno("can't bring " + path_ + " to disk");
  synced_ = true;
}

/// What is written under no name, or another's, is lost to all who look for it. Throws Error then.
void LogWriter::require_name(const struct ::stat &held) const {
  struct ::stat named {};
  const bool there = ops_->stat(path_.c_str(), &named) == 0;
  if (!there && !leads_nowhere(errno)) throw_errno("can't look at " + path_);
  if (!there || !is_same_file(held, named))
    throw Error("the session log " + path_ + " was deleted, moved or replaced" + and_now);
}

bool LogWriter::is_lost() const {
  struct ::stat held {};
  struct ::stat named {};
  if (ops_->fstat(file_.fd(), &held) != 0) return false;
  const auto size = static_cast<std::uint64_t>(held.st_size);
  if (rollback_due_ ? size < length_ : size != length_) return true;
  if (ops_->stat(path_.c_str(), &named) == 0) return !is_same_file(held, named);
  return leads_nowhere(errno);
}

void LogWriter::append(std::string_view bytes, std::span<const std::size_t> barriers, bool sync) {
  if (rollback_due_) roll_back();
  struct ::stat held {};
  if (ops_->fstat(file_.fd(), &held) != 0) throw_errno("can't look at " + path_);
  if (static_cast<std::uint64_t>(held.st_size) != length_)
    throw Error("the session log " + path_ + " was changed by a program that ignores its lock" + and_now);
  try {
    std::size_t written = 0;
    for (const std::size_t barrier : barriers) {
      write_all(bytes.substr(written, barrier - written));
      this->sync();
      written = barrier;
    }
    write_all(bytes.substr(written));
    if (sync) this->sync();
    require_name(held);  // behind the sync, which may take long
  } catch (...) {        // want of memory for the message among them
    rollback_due_ = true;
    try {
      roll_back();
    } catch (...) {
      // Stays due: the caller hears of the first failure.
    }
    throw;
  }
  length_ += bytes.size();
}

}  // namespace dsh::loader
