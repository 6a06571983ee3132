#include "log/temporary_log.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <string_view>
#include <vector>

#include "log/log_lock.hpp"
#include "text/error.hpp"
#include "text/uuid.hpp"

namespace dsh::loader {
namespace {

constexpr std::string_view ending = ".tmp";
constexpr std::size_t uuid_size = 36;

/// A name that make_temporary_log gives, beside a log of the name `log`.
bool is_temporary_name(std::string_view name, std::string_view log) {
  if (name.size() != log.size() + 1 + uuid_size + ending.size() || !name.starts_with(log)) return false;
  const std::string_view uuid = name.substr(log.size() + 1, uuid_size);
  return name[log.size()] == '.' && name.ends_with(ending) &&
         uuid.find_first_not_of("0123456789abcdef-") == std::string_view::npos;
}

void remove_if_stale(FileOps &ops, const std::string &path, const struct ::stat *held) {
  const File file = open_file(ops, path, O_RDWR | O_NONBLOCK | O_NOFOLLOW);
  struct ::stat status {};
  if (!file || ops.fstat(file.fd(), &status) != 0 || !S_ISREG(status.st_mode)) return;
  const bool stale = (held != nullptr && is_same_file(*held, status)) || try_to_lock(ops, file, path);
  // While it is locked: else its maker may lock it meanwhile.
  if (stale) ops.unlink(path.c_str());
}

/// Locked, and not taken for a stale one in the moment before it was.
bool is_ours(FileOps &ops, const TemporaryLog &made) {
  struct ::stat status {};
  if (!try_to_lock(ops, made.file, made.path)) return false;
  if (ops.fstat(made.file.fd(), &status) != 0) throw_errno("can't look at " + made.path);
  return status.st_nlink != 0;
}

}  // namespace

TemporaryLog make_temporary_log(FileOps &ops, const std::string &log) {
  for (int attempt = 0; attempt < 8; ++attempt) {
    TemporaryLog made{{}, log + "." + random_uuid() + std::string(ending)};
    made.file = open_file(ops, made.path, O_RDWR | O_CREAT | O_EXCL | O_APPEND, 0600);
    if (!made.file) throw_errno("can't create " + made.path);
    try {
      if (is_ours(ops, made)) return made;
    } catch (...) {
      ops.unlink(made.path.c_str());
      throw;
    }
  }
  throw Error("can't create " + log + ": other processes took its temporary file away again and again");
}

void remove_stale_temporaries(FileOps &ops, const std::string &log, const struct ::stat *held) {
  const std::size_t slash = log.find_last_of('/');
  const std::string directory = log.substr(0, slash);
  std::vector<std::string> names;
  if (ops.list(directory.c_str(), names) != 0) return;
  for (const std::string &name : names) {
    if (!is_temporary_name(name, std::string_view(log).substr(slash + 1))) continue;
    const std::string path = directory + "/" + name;
    try {
      remove_if_stale(ops, path, held);
    } catch (const Error &) {
      // It stays.
    }
  }
}

}  // namespace dsh::loader
