#include "log/file_watch.hpp"

#include <sys/inotify.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <deque>
#include <utility>

#include "text/deadline.hpp"

namespace dsh::loader {
namespace {

/// Where something may come, or the way there may change.
constexpr std::uint32_t comings =
    IN_CREATE | IN_MOVED_TO | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;
constexpr std::uint32_t entries = comings | IN_DELETE | IN_MOVED_FROM;
constexpr std::uint32_t changes = entries | IN_MODIFY;

/// How often to look where the kernel doesn't tell.
constexpr std::chrono::seconds between_looks{1};

constexpr std::size_t longest_chain = 40;  // of links, to the kernel

/// Where `given` leads. The directories that hold the links on the way are added to `holders`.
std::filesystem::path follow(const std::filesystem::path &given,
                             std::vector<std::filesystem::path> &holders) {
  std::error_code error;
  const std::filesystem::path way = std::filesystem::absolute(given, error);
  std::deque<std::filesystem::path> left(way.begin(), way.end());
  std::filesystem::path at;  // free of links
  for (std::size_t links = 0; !left.empty();) {
    const std::filesystem::path name = std::move(left.front());
    left.pop_front();
    if (name == "..") {
      at = at.parent_path();
      continue;
    }
    const std::filesystem::path target = std::filesystem::read_symlink(at / name, error);
    if (error || ++links > longest_chain) {
      at /= name;
      continue;
    }
    holders.push_back(at);
    left.insert(left.begin(), target.begin(), target.end());
  }
  return at;
}

/// The watch on `directory`, or on the nearest one above that exists and can be read; −1: none is to be had.
int add_watch(int inotify, std::filesystem::path directory, std::uint32_t mask) {
  for (;;) {
    // A directory that is watched already for more than this stays so.
    const int watch = inotify_add_watch(inotify, directory.c_str(), mask | IN_MASK_ADD);
    const bool missing = watch < 0 && (errno == ENOENT || errno == ENOTDIR || errno == EACCES);
    const std::filesystem::path above = directory.parent_path();
    if (!missing || above == directory) return watch;
    directory = above.empty() ? "." : above;
    mask = comings;
  }
}

}  // namespace

std::vector<std::filesystem::path> directories_of(std::filesystem::path file) {
  std::vector<std::filesystem::path> directories;
  std::error_code error;
  for (;;) {
    directories.push_back(file.parent_path());
    const std::filesystem::path target = std::filesystem::read_symlink(file, error);
    if (error || directories.size() > longest_chain) return directories;
    file = directories.back() / target;  // an absolute target replaces it
  }
}

FileWatch::FileWatch() : inotify_(inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {}

bool FileWatch::watch(const std::vector<std::filesystem::path> &directories) {
  std::set<int> wanted;
  has_all_ = static_cast<bool>(inotify_);
  const auto want = [&](const std::filesystem::path &directory, std::uint32_t mask) {
    const int watch = add_watch(inotify_.get(), directory, mask);
    if (watch < 0)
      has_all_ = false;
    else
      wanted.insert(watch);
  };
  std::vector<std::filesystem::path> holders;
  for (const auto &directory : directories) want(follow(directory, holders), changes);
  for (const auto &holder : holders) want(holder, entries);
  const bool more = !std::includes(watches_.begin(), watches_.end(), wanted.begin(), wanted.end());
  for (const int watch : watches_)
    if (!wanted.contains(watch)) inotify_rm_watch(inotify_.get(), watch);
  watches_ = std::move(wanted);
  next_look_ = Clock::now() + between_looks;
  return more;
}

int FileWatch::timeout() const { return has_all_ ? -1 : milliseconds_until(next_look_); }

bool FileWatch::changed() {
  bool changed = !has_all_ && Clock::now() >= next_look_;
  std::array<char, 4096> events{};
  while (read(inotify_.get(), events.data(), events.size()) > 0) changed = true;
  return changed;
}

}  // namespace dsh::loader
