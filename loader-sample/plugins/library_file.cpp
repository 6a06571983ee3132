#include "plugins/library_file.hpp"

#include <fcntl.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "text/error.hpp"
#include "text/listed.hpp"
#include "text/shell_word.hpp"
#include "text/system_error.hpp"
#include "text/visible.hpp"

namespace dsh::loader {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void cannot_open(const fs::path &path, int error) {
  throw Error(system_error_text("can't open plugin library " + visible_path(path), error));
}

std::string user_name(uid_t user) {
  passwd entry{};
  passwd *found = nullptr;
  char buffer[4096];
  if (::getpwuid_r(user, &entry, buffer, sizeof buffer, &found) == 0 && found != nullptr)
    return visible(entry.pw_name);
  return "user " + std::to_string(user);
}

/// What is met on the way to a library, from the root on.
class Trust {
 public:
  /// `path` is what `status` was taken of; `holds_library`: it is the directory that the library lies in.
  /// Throws Error where nobody can be told in a word how to make it trustworthy.
  void look_at(const fs::path &path, const struct stat &status, bool holds_library = false) {
    const std::string refused = "refusing to load from " + visible_path(path) + ": ";
    if (status.st_uid != 0 && status.st_uid != ::geteuid())
      throw Error(refused + "it belongs to " + user_name(status.st_uid) +
                  ", who could put code into this process; run chown " + user_name(::geteuid()) + " " +
                  shell_word(visible_path(path)) + ", or copy the plugin to a directory of your own");
    if ((status.st_mode & (S_IWGRP | S_IWOTH)) == 0) return;
    // In a sticky directory others can't touch what isn't theirs, but they could add a library.
    const bool sticky = S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX) != 0;
    if (sticky && holds_library)
      throw Error(refused +
                  "others than its owner may write to it, and so put code into this process; move the plugin "
                  "to a directory of its own");
    if (!sticky) writable_.push_back(visible_path(path));
  }

  /// Throws Error, which names all that others may write to: a umask opens every directory at once.
  void require() const {
    if (writable_.empty()) return;
    std::string words;
    for (const std::string &path : writable_) words += ' ' + shell_word(path);
    const bool one = writable_.size() == 1;
    throw Error("refusing to load from " + listed(writable_, " and ") + ": others than " +
                (one ? "its owner may write to it" : "their owners may write to them") +
                ", and so put code into this process; run chmod go-w" + words);
  }

 private:
  std::vector<std::string> writable_;
};

struct stat status_of(int descriptor, const fs::path &path) {
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) cannot_open(path, errno);
  return status;
}

Descriptor open_regular(int directory, const fs::path &name, const fs::path &path) {
  // Non-blocking, for a FIFO would make us wait for its writer.
  Descriptor file(
      ::openat(directory, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
  if (!file) cannot_open(path, errno);
  const auto status = status_of(file.get(), path);
  if (S_ISDIR(status.st_mode)) cannot_open(path, EISDIR);
  if (!S_ISREG(status.st_mode))
    throw Error("can't open plugin library " + visible_path(path) + ": it is no regular file");
  return file;
}

/// Walks to `path` (absolute, canonical) directory by directory, so that what is checked is what is
/// opened: in a directory that only trusted users can change, nobody else can swap a name later on.
Descriptor open_checked(const fs::path &path) {
  Descriptor directory(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!directory) cannot_open("/", errno);
  fs::path walked = "/";
  const fs::path parent = path.parent_path();
  Trust trust;
  trust.look_at(walked, status_of(directory.get(), walked), walked == parent);
  for (const auto &part : parent.relative_path()) {
    walked /= part;
    directory =
        Descriptor(::openat(directory.get(), part.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!directory) cannot_open(walked, errno);
    trust.look_at(walked, status_of(directory.get(), walked), walked == parent);
  }
  Descriptor file = open_regular(directory.get(), path.filename(), path);
  trust.look_at(path, status_of(file.get(), path));
  trust.require();
  return file;
}

fs::path real_path(const fs::path &path) {
  std::error_code problem;
  auto real = fs::canonical(path, problem);
  if (problem) cannot_open(path, problem.value());
  return real;
}

std::int64_t nanoseconds(const timespec &time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

}  // namespace

LibraryFile::LibraryFile(fs::path path, Descriptor descriptor)
    : path_(std::move(path)), descriptor_(std::move(descriptor)) {}

LibraryFile LibraryFile::open_trusted(const fs::path &path) {
  auto real = real_path(path);
  Descriptor descriptor = open_checked(real);
  return {std::move(real), std::move(descriptor)};
}

LibraryFile LibraryFile::open(const fs::path &path) {
  auto real = real_path(path);
  Descriptor descriptor = open_regular(AT_FDCWD, real, real);
  return {std::move(real), std::move(descriptor)};
}

FileIdentity LibraryFile::identity() const {
  const auto status = status_of(descriptor_.get(), path_);
  return {status.st_dev, status.st_ino, static_cast<std::uint64_t>(status.st_size),
          nanoseconds(status.st_mtim), nanoseconds(status.st_ctim)};
}

bool LibraryFile::is_in_place() const {
  struct stat there {};
  const auto here = identity();
  return ::stat(path_.c_str(), &there) == 0 && there.st_dev == here.device && there.st_ino == here.inode;
}

}  // namespace dsh::loader
