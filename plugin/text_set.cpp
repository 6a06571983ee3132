#include "text_set.hpp"

#include <cstring>

namespace dsh::todo {
namespace {

std::uint64_t mix(std::uint64_t hash, std::uint64_t word) noexcept {
  hash = (hash ^ word) * 0x9E3779B97F4A7C15U;
  return hash ^ hash >> 32;
}

/// `seed` differs from process to process, so that no list can be written whose texts all collide.
std::uint64_t hash_of(std::string_view text, std::uint64_t seed) noexcept {
  std::uint64_t hash = seed ^ text.size();
  while (text.size() >= sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data(), sizeof word);
    hash = mix(hash, word);
    text.remove_prefix(sizeof word);
  }
  std::uint64_t rest = 0;
  std::memcpy(&rest, text.data(), text.size());
  return mix(hash, rest);
}

}  // namespace

bool TextSet::insert(std::string_view text) {
  if (2 * (count_ + 1) > mask_ + 1) grow();
  const std::uint64_t hash = hash_of(text, reinterpret_cast<std::uintptr_t>(this));
  for (std::size_t at = hash & mask_;; at = (at + 1) & mask_) {
    Slot &slot = slots_[at];
    if (slot.data == nullptr) {
      slot = {text.data(), text.size(), hash};
      ++count_;
      return true;
    }
    if (slot.hash == hash && std::string_view(slot.data, slot.size) == text) return false;
  }
}

TextSet::Slot &TextSet::free_slot(std::uint64_t hash) noexcept {
  std::size_t at = hash & mask_;
  while (slots_[at].data != nullptr) at = (at + 1) & mask_;
  return slots_[at];
}

void TextSet::grow() {
  std::vector<Slot> former(slots_, slots_ + mask_ + 1);
  many_.assign(4 * former.size(), Slot());
  slots_ = many_.data();
  mask_ = many_.size() - 1;
  for (const Slot &slot : former) {
    if (slot.data != nullptr) free_slot(slot.hash) = slot;
  }
}

}  // namespace dsh::todo
