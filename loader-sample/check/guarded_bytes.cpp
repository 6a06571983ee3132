#include "check/guarded_bytes.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <new>
#include <utility>

#include "check/page_size.hpp"

namespace dsh::loader::check {
namespace {

/// Pages that were in use, kept out of reach: the addresses come into use again only after hundreds of
/// others have ended.
class Retired {
 public:
  void add(void *pages, std::size_t length) {
    const std::lock_guard lock(mutex_);
    auto &slot = slots_[next_++ % slots_.size()];
    if (slot.first != nullptr) ::munmap(slot.first, slot.second);
    slot = {pages, length};
  }

 private:
  std::mutex mutex_;
  std::array<std::pair<void *, std::size_t>, 1024> slots_{};
  std::size_t next_ = 0;
};

Retired &retired() {
  static Retired instance;
  return instance;
}

}  // namespace

constexpr char watched = '\x5A';

GuardedBytes::GuardedBytes(std::string_view bytes, Access access, std::size_t alignment)
    : size_(bytes.size()), slack_((alignment - bytes.size() % alignment) % alignment) {
  const std::size_t page = page_size();
  const std::size_t room = (bytes.size() + slack_ + page - 1) / page * page;
  length_ = room + page;
  pages_ = ::mmap(nullptr, length_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages_ == MAP_FAILED) throw std::bad_alloc();
  char *const guard = static_cast<char *>(pages_) + room;
  data_ = guard - slack_ - bytes.size();
  std::memset(guard - slack_, watched, slack_);
  if (!bytes.empty()) std::memcpy(data_, bytes.data(), bytes.size());
  ::mprotect(guard, page, PROT_NONE);
  if (access == Access::read && room > 0) ::mprotect(pages_, room, PROT_READ);
}

bool GuardedBytes::intact() const noexcept {
  return std::all_of(data_ + size_, data_ + size_ + slack_, [](char c) { return c == watched; });
}

GuardedBytes::~GuardedBytes() {
  ::mprotect(pages_, length_, PROT_NONE);
  ::madvise(pages_, length_, MADV_DONTNEED);
  retired().add(pages_, length_);
}

}  // namespace dsh::loader::check
