#include "text_set.hpp"

#include <cstring>
#include <new>
#include <utility>

namespace dsh::todo {
namespace {

/// Every bit of either goes into every bit of the result.
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

/// `seed` differs from process to process where the system places memory at random, so that a list whose
/// texts all collide in one process does not in the next. Who can learn the seed can still write one.
std::uint64_t hash_of(std::string_view text, std::uint64_t seed) noexcept {
  constexpr std::ptrdiff_t kWord = sizeof(std::uint64_t);
  const char *at = text.data();
  const char *const end = at + text.size();
  std::uint64_t hash = seed ^ text.size();
  const std::uint64_t secret = seed * 0x9E3779B97F4A7C15U;
  if (end - at < kWord) {
    std::uint64_t word = 0;
    for (const char c : text) word = word << 8U | static_cast<unsigned char>(c);
    return mix(hash ^ word, secret);
  }
  for (; end - at > 2 * kWord; at += 2 * kWord) hash = mix(hash ^ word_at(at), secret ^ word_at(at + kWord));
  // Some bytes again, where they fill no word.
  return mix(hash ^ word_at(end - at > kWord ? at : end - kWord), secret ^ word_at(end - kWord));
}

}  // namespace

bool TextSet::insert(std::string_view text) {
  if (2 * (std::size_t{count_} + 1) > slots_.size()) grow();
  const auto hash = static_cast<std::uint32_t>(hash_of(text, reinterpret_cast<std::uintptr_t>(this)));
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = hash & mask;; at = (at + 1) & mask) {
    Slot &slot = slots_[at];
    if (slot.number == 0) {
      keep(text);
      slot = {hash, count_};
      return true;
    }
    if (slot.hash == hash && this->text(slot.number) == text) return false;
  }
}

void TextSet::keep(std::string_view text) {
  if (count_ < kFew) {
    few_texts_[count_] = text;
  } else {
    more_texts_.push_back(text);
  }
  ++count_;
}

void TextSet::grow() {
  constexpr std::size_t kMost = std::size_t{1} << 32U;  // slots that a hash tells apart
  const std::size_t size = 4 * slots_.size();
  if (size > kMost) throw std::bad_alloc();
  std::vector<Slot> slots(size);
  for (const Slot &slot : slots_) {
    if (slot.number == 0) continue;
    std::size_t at = slot.hash & (size - 1);
    while (slots[at].number != 0) at = (at + 1) & (size - 1);
    slots[at] = slot;
  }
  more_texts_.reserve(size / 2 - kFew);
  many_slots_ = std::move(slots);
  slots_ = many_slots_;
}

}  // namespace dsh::todo
