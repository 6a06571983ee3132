#include "log/log_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <fstream>
#include <optional>
#include <sstream>
#include <thread>

#include "text/error.hpp"

namespace dsh::loader {
namespace {

/// The process that holds the flock of a file, from the kernel's table of locks; 0 when it isn't there.
/// A line of it: `1: FLOCK  ADVISORY  WRITE 4711 08:01:1311766 0 EOF`, device in hex, inode in decimal.
long lock_holder(const struct ::stat &status) {
  std::ifstream locks("/proc/locks");
  std::string line;
  long same_inode = 0;
  while (std::getline(locks, line)) {
    std::istringstream fields(line);
    std::string number;
    std::string kind;
    std::string mode;
    std::string access;
    std::string place;
    long process = 0;
    if (!(fields >> number >> kind >> mode >> access >> process >> place) || kind != "FLOCK") continue;
    unsigned major_number = 0;
    unsigned minor_number = 0;
    unsigned long long inode = 0;
    char colon = 0;
    std::istringstream parts(place);
    if (!(parts >> std::hex >> major_number >> colon >> minor_number >> colon >> std::dec >> inode)) continue;
    if (inode != status.st_ino || process <= 0) continue;
    if (makedev(major_number, minor_number) == status.st_dev) return process;
    // Layered file systems number their devices differently in the two places.
    same_inode = process;
  }
  return same_inode;
}

/// The same as people read it; empty when it isn't there.
std::string holder_of(FileOps &ops, const File &file) {
  struct ::stat status {};
  const long holder = ops.fstat(file.fd(), &status) == 0 ? lock_holder(status) : 0;
  if (holder <= 0) return {};
  return (holder == ::getpid() ? "this process (" : "process ") + std::to_string(holder) +
         (holder == ::getpid() ? ")" : "");
}

/// Of file systems on a network: who creates one id in two places at the same moment there is found out
/// only by who opens it.
bool locks_no_directory(int error) {
  return error == EBADF || error == EINVAL || error == ENOLCK || error == ENOSYS || error == EOPNOTSUPP;
}

}  // namespace

bool try_to_lock(FileOps &ops, const File &file, const std::string &path) {
  if (retried([&] { return ops.flock(file.fd(), LOCK_EX | LOCK_NB); }) == 0) return true;
  if (errno != EWOULDBLOCK) throw_errno("can't lock " + path);
  return false;
}

void lock_log(FileOps &ops, const File &file, const std::string &path) {
  std::string holder;
  // A holder that can't be found has just let go, or is hidden from us: try again before giving up.
  for (int attempt = 0; attempt < 3 && holder.empty(); ++attempt) {
    if (try_to_lock(ops, file, path)) return;
    holder = holder_of(ops, file);
  }
  throw Error("the session log " + path + " is being written by " +
              (holder.empty() ? "another process" : holder) + "; wait for it to end");
}

PublishingTurn::PublishingTurn(FileOps &ops, const std::string &root, std::chrono::milliseconds patience)
    : directory_(open_file(ops, root, O_RDONLY | O_DIRECTORY)) {
  using Clock = std::chrono::steady_clock;
  if (!directory_) throw_errno("can't open the sessions' directory " + root);
  const Clock::time_point end = Clock::now() + patience;
  std::optional<std::string> first;
  for (;;) {
    if (retried([&] { return ops.flock(directory_.fd(), LOCK_EX | LOCK_NB); }) == 0) return;
    if (locks_no_directory(errno)) return;
    if (errno != EWOULDBLOCK) throw_errno("can't lock the sessions' directory " + root);
    if (!first) first = holder_of(ops, directory_);
    if (Clock::now() >= end) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  // Only who had it all along is in the way; of many in a row each had it as long as it may.
  const std::string last = holder_of(ops, directory_);
  if (last.empty() || last != *first)
    throw Error("can't create a session under " + root +
                ": other processes have been creating some all the time; try again");
  throw Error("can't create a session under " + root + ": " + last +
              " has been creating one all the time; wait for it, or end it where it is stopped");
}

}  // namespace dsh::loader
