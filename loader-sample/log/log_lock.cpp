#include "log/log_lock.hpp"

#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <sstream>

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

}  // namespace

bool try_to_lock(FileOps &ops, const File &file, const std::string &path) {
  if (retried([&] { return ops.flock(file.fd(), LOCK_EX | LOCK_NB); }) == 0) return true;
  if (errno != EWOULDBLOCK) throw_errno("can't lock " + path);
  return false;
}

void lock_log(FileOps &ops, const File &file, const std::string &path) {
  long holder = 0;
  // A holder that can't be found has just let go, or is hidden from us: try again before giving up.
  for (int attempt = 0; attempt < 3 && holder == 0; ++attempt) {
    if (try_to_lock(ops, file, path)) return;
    struct ::stat status {};
    if (ops.fstat(file.fd(), &status) == 0) holder = lock_holder(status);
  }
  std::string who = "another process";
  if (holder == ::getpid()) {
    who = "this process (" + std::to_string(holder) + ")";
  } else if (holder > 0) {
    who = "process " + std::to_string(holder);
  }
  throw Error("the session log " + path + " is being written by " + who + "; wait for it to end");
}

}  // namespace dsh::loader
