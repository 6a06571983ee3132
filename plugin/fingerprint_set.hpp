// Finds out whether any two contents of one list may be the same.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace dsh::todo {

/// A set of texts of which 64 bits are kept, so that it is small beside any list. Up to 32 texts take no
/// memory from the heap.
class FingerprintSet {
 public:
  FingerprintSet() noexcept : slots_(few_slots_) {}
  FingerprintSet(const FingerprintSet &) = delete;
  FingerprintSet &operator=(const FingerprintSet &) = delete;

  /// Adds `text`; false where it was there already, or another that can't be told from it.
  bool insert(std::string_view text);

  /// The same for a text in pieces, which next(piece) gives one by one, until it returns false.
  bool insert_pieces(const std::function<bool(std::string_view &)> &next);

 private:
  std::uint64_t seed() const noexcept { return reinterpret_cast<std::uintptr_t>(this); }
  bool insert_hash(std::uint64_t hash);
  void grow();

  // Open addressing; the number of slots is a power of two, and 0 a free one.
  std::array<std::uint64_t, 64> few_slots_{};
  std::vector<std::uint64_t> many_slots_;
  std::span<std::uint64_t> slots_;  // either
  std::size_t room_ = 32;           // for so many more until there must be more slots
};

}  // namespace dsh::todo
