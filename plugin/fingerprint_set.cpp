#include "fingerprint_set.hpp"

#include <cstring>
#include <string>
#include <utility>

namespace dsh::todo {
namespace {

/// The two halves of the product: what differs in the factors differs there, but for chance.
std::uint64_t mix(std::uint64_t one, std::uint64_t other) noexcept {
  __extension__ using Product = unsigned __int128;
  const Product product = Product{one} * other;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

std::uint64_t word_at(const char *at) noexcept {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof word);
  return word;
}

/// Bytes. A text is hashed in blocks of this size, so that one that comes in pieces needn't be joined.
constexpr std::size_t block_size = 4096;

/// Of one block. `seed` differs from process to process where the system places memory at random, so that a
/// list whose texts all collide in one process does not in the next. Who can learn the seed can still write
/// one.
std::uint64_t hash_of(std::string_view text, std::uint64_t seed) noexcept {
  constexpr std::ptrdiff_t word_size = sizeof(std::uint64_t);
  const char *at = text.data();
  const char *const end = at + text.size();
  // Multiplied: a bare size differs from another in the bits in which first characters do.
  std::uint64_t hash = seed ^ text.size() * 0xA076'1D64'78BD'642FU;
  const std::uint64_t secret = seed * 0x9E37'79B9'7F4A'7C15U;
  if (end - at < word_size) {
    std::uint64_t word = 0;
    for (const char c : text) word = word << 8U | static_cast<unsigned char>(c);
    return mix(hash ^ word, secret);
  }
  for (; end - at > 2 * word_size; at += 2 * word_size)
    hash = mix(hash ^ word_at(at), secret ^ word_at(at + word_size));
  // Some bytes again, where they fill no word.
  return mix(hash ^ word_at(end - at > word_size ? at : end - word_size), secret ^ word_at(end - word_size));
}

std::uint64_t hash_of_blocks(std::string_view text, std::uint64_t seed) noexcept {
  for (; text.size() > block_size; text.remove_prefix(block_size))
    seed = hash_of(text.substr(0, block_size), seed);
  return hash_of(text, seed);
}

/// The slot of a fingerprint, or the one that is free for it.
std::uint64_t &slot_of(std::span<std::uint64_t> slots, std::uint64_t fingerprint) noexcept {
  const std::size_t mask = slots.size() - 1;
  std::size_t at = fingerprint & mask;
  while (slots[at] != 0 && slots[at] != fingerprint) at = (at + 1) & mask;
  return slots[at];
}

}  // namespace

bool FingerprintSet::insert(std::string_view text) { return insert_hash(hash_of_blocks(text, seed())); }

bool FingerprintSet::insert_pieces(const std::function<bool(std::string_view &)> &next) {
  std::uint64_t hash = seed();
  std::string block;
  for (std::string_view piece; next(piece);) {
    while (!piece.empty()) {
      if (block.size() == block_size) {
        hash = hash_of(block, hash);
        block.clear();
      }
      const std::string_view part = piece.substr(0, block_size - block.size());
      block += part;
      piece.remove_prefix(part.size());
    }
  }
  return insert_hash(hash_of(block, hash));
}

bool FingerprintSet::insert_hash(std::uint64_t hash) {
  if (room_ == 0) grow();
  const std::uint64_t fingerprint = hash == 0 ? 1 : hash;
  std::uint64_t &slot = slot_of(slots_, fingerprint);
  if (slot == fingerprint) return false;
  slot = fingerprint;
  --room_;
  return true;
}

/// The slots of most lists are plenty; those of a list of many thousands don't take more than it does.
void FingerprintSet::grow() {
  constexpr std::size_t plenty = 4096;
  const std::size_t size = (slots_.size() < plenty ? 4 : 2) * slots_.size();
  const std::size_t filled = slots_.size() <= plenty ? slots_.size() / 2 : slots_.size() / 4 * 3;
  std::vector<std::uint64_t> slots(size);
  for (const std::uint64_t fingerprint : slots_)
    if (fingerprint != 0) slot_of(slots, fingerprint) = fingerprint;
  room_ = (size <= plenty ? size / 2 : size / 4 * 3) - filled;
  many_slots_ = std::move(slots);
  slots_ = many_slots_;
}

}  // namespace dsh::todo
