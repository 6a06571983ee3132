// A file system in memory that can lose its power.
//
// What was fsynced is sure to survive; of what was not, every write, truncation and directory change
// may or may not have reached the disk, in any combination, and a write may have reached it in part.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "log/file_ops.hpp"

namespace dsh::loader {

/// One thread at a time. Paths are absolute; the root directory is there.
class SimulatedDisk : public FileOps {
 public:
  SimulatedDisk();

  int open(const char *path, int flags, unsigned mode) override;
  int close(int fd) override;
  long pread(int fd, void *to, std::size_t size, std::int64_t offset) override;
  long write(int fd, const void *from, std::size_t size) override;
  int fsync(int fd) override;
  int fdatasync(int fd) override { return fsync(fd); }
  int ftruncate(int fd, std::int64_t size) override;
  int fstat(int fd, struct ::stat *to) override;
  int stat(const char *path, struct ::stat *to) override;
  int flock(int fd, int operation) override;
  int link(const char *from, const char *to) override;
  int unlink(const char *path) override;
  int mkdir(const char *path, unsigned mode) override;
  int list(const char *path, std::vector<std::string> &names) override;

  /// How many changes are not sure to survive now.
  std::size_t unsynced() const;

  /// What became of one change when the power went.
  enum class Fate {
    lost,
    kept,
    grown,  ///< a write: the file got its length, but zeros in the place of the bytes
    half,   ///< a write: its first half was kept
    holed   ///< a write: its first page was lost, and is zeros where the file had ended; the others were kept
  };
  static constexpr int fates = 5;
  /// Small, so that writes of short events have several.
  static constexpr std::size_t page_size = 256;

  /// The disk after a power cut now. `fate` is asked once for each of the unsynced() changes, in their
  /// order; `grown`, `half` and `holed` count as `kept` for a change that is no write.
  std::unique_ptr<SimulatedDisk> cut_power(const std::function<Fate()> &fate) const;

  /// The whole content of a file; empty when it isn't there.
  std::string content(const std::string &path) const;
  /// Puts a file there, synced, with its directories.
  void put(const std::string &path, std::string bytes);

 private:
  struct Node;
  using NodePtr = std::shared_ptr<Node>;

  /// A write or a truncation of a file, or the coming or going of a directory's entry.
  struct Change {
    std::uint64_t order = 0;
    bool truncation = false;
    std::uint64_t offset = 0;  ///< of a write; the length of a truncation
    std::string bytes;         ///< of a write; the name of an entry
    NodePtr entry;             ///< of an entry that came
  };

  struct Node {
    std::uint64_t inode = 0;
    bool directory = false;
    std::string data;
    std::string synced_data;
    std::map<std::string, NodePtr> entries;
    std::map<std::string, NodePtr> synced_entries;
    std::vector<Change> unsynced;
    int locked_by = -1;
    std::uint64_t names = 1;  ///< after a power cut, which leaves nothing unsynced: not counted any more
  };

  struct Open {
    NodePtr node;
    std::uint64_t position = 0;
    bool append = false;
  };

  NodePtr make(bool directory);
  NodePtr find(const std::string &path) const;
  NodePtr parent(const std::string &path, std::string &name) const;
  Open *opened(int fd);
  void collect(const NodePtr &node, std::vector<std::pair<std::uint64_t, const Change *>> &changes) const;
  static void fill(const Node &node, struct ::stat *to);

  NodePtr root_;
  std::map<int, Open> open_;
  std::uint64_t last_inode_ = 0;
  std::uint64_t last_order_ = 0;
  int next_fd_ = 100;
};

}  // namespace dsh::loader
