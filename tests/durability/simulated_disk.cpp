#include "durability/simulated_disk.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace dsh::loader {
namespace {

int failed(int error) {
  errno = error;
  return -1;
}

void apply_write(std::string &data, std::uint64_t offset, std::string_view bytes) {
  if (data.size() < offset + bytes.size()) data.resize(offset + bytes.size(), '\0');
  data.replace(offset, bytes.size(), bytes);
}

}  // namespace

SimulatedDisk::SimulatedDisk() : root_(make(true)) {}

SimulatedDisk::NodePtr SimulatedDisk::make(bool directory) {
  auto node = std::make_shared<Node>();
  node->inode = ++last_inode_;
  node->directory = directory;
  return node;
}

SimulatedDisk::NodePtr SimulatedDisk::find(const std::string &path) const {
  NodePtr node = root_;
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    const std::string name = path.substr(at, end - at);
    at = end + 1;
    if (name.empty() || name == ".") continue;
    const auto entry = node->entries.find(name);
    if (entry == node->entries.end()) return nullptr;
    node = entry->second;
  }
  return node;
}

SimulatedDisk::NodePtr SimulatedDisk::parent(const std::string &path, std::string &name) const {
  const std::size_t slash = path.find_last_of('/');
  name = path.substr(slash + 1);
  return find(path.substr(0, slash));
}

SimulatedDisk::Open *SimulatedDisk::opened(int fd) {
  const auto found = open_.find(fd);
  if (found != open_.end()) return &found->second;
  errno = EBADF;
  return nullptr;
}

int SimulatedDisk::open(const char *path, int flags, unsigned /*mode*/) {
  NodePtr node = find(path);
  if (node != nullptr && (flags & O_CREAT) != 0 && (flags & O_EXCL) != 0) return failed(EEXIST);
  if (node == nullptr) {
    if ((flags & O_CREAT) == 0) return failed(ENOENT);
    std::string name;
    const NodePtr directory = parent(path, name);
    if (directory == nullptr) return failed(ENOENT);
    node = make(false);
    directory->entries[name] = node;
    directory->unsynced.push_back({++last_order_, false, 0, name, node});
  }
  const int fd = next_fd_++;
  open_[fd] = {node, 0, (flags & O_APPEND) != 0};
  return fd;
}

int SimulatedDisk::close(int fd) {
  Open *const open = opened(fd);
  if (open == nullptr) return -1;
  if (open->node->locked_by == fd) open->node->locked_by = -1;
  open_.erase(fd);
  return 0;
}

long SimulatedDisk::pread(int fd, void *to, std::size_t size, std::int64_t offset) {
  const Open *const open = opened(fd);
  if (open == nullptr) return -1;
  const std::string &data = open->node->data;
  const auto at = static_cast<std::uint64_t>(offset);
  if (at >= data.size()) return 0;
  return static_cast<long>(data.copy(static_cast<char *>(to), size, at));
}

long SimulatedDisk::write(int fd, const void *from, std::size_t size) {
  Open *const open = opened(fd);
  if (open == nullptr) return -1;
  Node &node = *open->node;
  if (open->append) open->position = node.data.size();
  const std::string_view bytes(static_cast<const char *>(from), size);
  apply_write(node.data, open->position, bytes);
  node.unsynced.push_back({++last_order_, false, open->position, std::string(bytes), nullptr});
  open->position += size;
  return static_cast<long>(size);
}

int SimulatedDisk::fsync(int fd) {
  const Open *const open = opened(fd);
  if (open == nullptr) return -1;
  Node &node = *open->node;
  node.synced_data = node.data;
  node.synced_entries = node.entries;
  node.unsynced.clear();
  return 0;
}

int SimulatedDisk::ftruncate(int fd, std::int64_t size) {
  const Open *const open = opened(fd);
  if (open == nullptr) return -1;
  Node &node = *open->node;
  node.data.resize(static_cast<std::size_t>(size), '\0');
  node.unsynced.push_back({++last_order_, true, static_cast<std::uint64_t>(size), {}, nullptr});
  return 0;
}

void SimulatedDisk::fill(const Node &node, struct ::stat *to) {
  *to = {};
  to->st_ino = node.inode;
  to->st_mode = node.directory ? S_IFDIR | 0700 : S_IFREG | 0600;
  to->st_nlink = node.names;
  to->st_size = static_cast<off_t>(node.data.size());
}

int SimulatedDisk::fstat(int fd, struct ::stat *to) {
  const Open *const open = opened(fd);
  if (open == nullptr) return -1;
  fill(*open->node, to);
  return 0;
}

int SimulatedDisk::stat(const char *path, struct ::stat *to) {
  const NodePtr node = find(path);
  if (node == nullptr) return failed(ENOENT);
  fill(*node, to);
  return 0;
}

int SimulatedDisk::flock(int fd, int /*operation*/) {
  const Open *const open = opened(fd);
  if (open == nullptr) return -1;
  int &holder = open->node->locked_by;
  if (holder != -1 && holder != fd) return failed(EWOULDBLOCK);
  holder = fd;
  return 0;
}

int SimulatedDisk::link(const char *from, const char *to) {
  const NodePtr node = find(from);
  std::string name;
  const NodePtr directory = parent(to, name);
  if (node == nullptr || directory == nullptr) return failed(ENOENT);
  if (directory->entries.contains(name)) return failed(EEXIST);
  directory->entries[name] = node;
  ++node->names;
  directory->unsynced.push_back({++last_order_, false, 0, name, node});
  return 0;
}

int SimulatedDisk::unlink(const char *path) {
  std::string name;
  const NodePtr directory = parent(path, name);
  if (directory == nullptr || !directory->entries.contains(name)) return failed(ENOENT);
  --directory->entries[name]->names;
  directory->entries.erase(name);
  directory->unsynced.push_back({++last_order_, false, 0, name, nullptr});
  return 0;
}

int SimulatedDisk::mkdir(const char *path, unsigned /*mode*/) {
  std::string name;
  const NodePtr directory = parent(path, name);
  if (directory == nullptr) return failed(ENOENT);
  if (directory->entries.contains(name)) return failed(EEXIST);
  const NodePtr node = make(true);
  directory->entries[name] = node;
  directory->unsynced.push_back({++last_order_, false, 0, name, node});
  return 0;
}

int SimulatedDisk::list(const char *path, std::vector<std::string> &names) {
  const NodePtr node = find(path);
  if (node == nullptr) return failed(ENOENT);
  if (!node->directory) return failed(ENOTDIR);
  names.clear();
  for (const auto &[name, entry] : node->entries) names.push_back(name);
  return 0;
}

/// The changes of a node and of all that it holds now or held when it was synced, each node once.
void SimulatedDisk::collect(const NodePtr &node,
                            std::vector<std::pair<std::uint64_t, const Change *>> &changes) const {
  std::vector<NodePtr> nodes = {node};
  for (std::size_t at = 0; at < nodes.size(); ++at) {
    const auto add = [&nodes](const NodePtr &entry) {
      if (entry != nullptr && std::find(nodes.begin(), nodes.end(), entry) == nodes.end())
        nodes.push_back(entry);
    };
    const NodePtr one = nodes[at];
    for (const Change &change : one->unsynced) {
      changes.emplace_back(change.order, &change);
      add(change.entry);
    }
    for (const auto &[name, entry] : one->entries) add(entry);
    for (const auto &[name, entry] : one->synced_entries) add(entry);
  }
  std::sort(changes.begin(), changes.end());
}

std::size_t SimulatedDisk::unsynced() const {
  std::vector<std::pair<std::uint64_t, const Change *>> changes;
  collect(root_, changes);
  return changes.size();
}

std::unique_ptr<SimulatedDisk> SimulatedDisk::cut_power(const std::function<Fate()> &fate) const {
  std::vector<std::pair<std::uint64_t, const Change *>> changes;
  collect(root_, changes);
  std::map<const Change *, Fate> fate_of;
  for (const auto &[order, change] : changes) fate_of[change] = fate();

  auto after = std::make_unique<SimulatedDisk>();
  std::map<const Node *, NodePtr> copies;
  const std::function<NodePtr(const NodePtr &)> copy = [&](const NodePtr &node) {
    NodePtr &there = copies[node.get()];
    if (there != nullptr) return there;
    there = after->make(node->directory);
    const NodePtr result = there;
    std::map<std::string, NodePtr> entries = node->synced_entries;
    std::string data = node->synced_data;
    for (const Change &change : node->unsynced) {
      const Fate what = fate_of[&change];
      if (what == Fate::lost) continue;
      if (node->directory) {
        if (change.entry != nullptr)
          entries[change.bytes] = change.entry;
        else
          entries.erase(change.bytes);
      } else if (change.truncation) {
        data.resize(change.offset, '\0');
      } else if (what == Fate::grown) {
        apply_write(data, change.offset, std::string(change.bytes.size(), '\0'));
      } else if (what == Fate::holed) {
        const std::size_t hole = std::min(change.bytes.size(), page_size - change.offset % page_size);
        apply_write(data, change.offset, std::string(hole, '\0') + change.bytes.substr(hole));
      } else {
        apply_write(data, change.offset,
                    std::string_view(change.bytes)
                        .substr(0, what == Fate::half ? change.bytes.size() / 2 : change.bytes.size()));
      }
    }
    result->data = result->synced_data = data;
    for (const auto &[name, entry] : entries) result->entries[name] = copy(entry);
    result->synced_entries = result->entries;
    return result;
  };
  after->root_ = copy(root_);
  return after;
}

std::string SimulatedDisk::content(const std::string &path) const {
  const NodePtr node = find(path);
  return node == nullptr ? "" : node->data;
}

void SimulatedDisk::put(const std::string &path, std::string bytes) {
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1))
    mkdir(path.substr(0, slash).c_str(), 0700);
  std::string name;
  const NodePtr directory = parent(path, name);
  const NodePtr node = make(false);
  node->data = std::move(bytes);
  directory->entries[name] = node;
  // All of it is on disk.
  std::vector<NodePtr> nodes = {root_};
  for (std::size_t at = 0; at < nodes.size(); ++at) {
    nodes[at]->synced_data = nodes[at]->data;
    nodes[at]->synced_entries = nodes[at]->entries;
    nodes[at]->unsynced.clear();
    for (const auto &[key, entry] : nodes[at]->entries) nodes.push_back(entry);
  }
}

}  // namespace dsh::loader
