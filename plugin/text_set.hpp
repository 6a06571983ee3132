// A set of texts, for the contents of one list.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace dsh::todo {

/// Remembers views; what they point at must outlive the set. Up to 32 texts take no memory from the heap.
class TextSet {
 public:
  TextSet() noexcept : slots_(few_slots_) {}
  TextSet(const TextSet &) = delete;
  TextSet &operator=(const TextSet &) = delete;

  /// Adds `text`; false where it was there already.
  bool insert(std::string_view text);

 private:
  // Small, so that the slots of a long list stay in the nearest cache: they are met in no order.
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t number = 0;  // of the text, from 1; 0: free
  };

  static constexpr std::uint32_t kFew = 32;

  std::string_view text(std::uint32_t number) const noexcept {
    return number <= kFew ? few_texts_[number - 1] : more_texts_[number - 1 - kFew];
  }
  void keep(std::string_view text);
  void grow();

  // Open addressing, at most half full; the number of slots is a power of two.
  std::array<Slot, std::size_t{2} * kFew> few_slots_;
  std::vector<Slot> many_slots_;
  std::span<Slot> slots_;  // either
  std::array<std::string_view, kFew> few_texts_;
  std::vector<std::string_view> more_texts_;  // than the few
  std::uint32_t count_ = 0;
};

}  // namespace dsh::todo
