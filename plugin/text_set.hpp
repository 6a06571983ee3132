// A set of texts, for the contents of one list.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace dsh::todo {

/// Remembers views; what they point at must outlive the set. Up to 32 texts take no memory from the heap.
class TextSet {
 public:
  TextSet() noexcept : slots_(few_.data()), mask_(few_.size() - 1) {}
  TextSet(const TextSet &) = delete;
  TextSet &operator=(const TextSet &) = delete;

  /// Adds `text`; false where it was there already.
  bool insert(std::string_view text);

 private:
  struct Slot {
    const char *data = nullptr;  // null: free
    std::size_t size = 0;
    std::uint64_t hash = 0;
  };

  void grow();
  Slot &free_slot(std::uint64_t hash) noexcept;

  // Open addressing, at most half full.
  std::array<Slot, 64> few_;
  std::vector<Slot> many_;
  Slot *slots_;
  std::size_t mask_;  // number of slots - 1, a power of two - 1
  std::size_t count_ = 0;
};

}  // namespace dsh::todo
