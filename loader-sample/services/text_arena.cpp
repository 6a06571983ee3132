#include "services/text_arena.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace dsh::loader {
namespace {

constexpr std::size_t smallest_block = 4096;
constexpr std::size_t largest_of_small_pages = std::size_t{256} << 10U;
constexpr std::size_t large_page = std::size_t{2} << 20U;
constexpr std::size_t largest_block = 2 * large_page;

char *new_block(std::size_t size) {
  if (size % large_page == 0) {
    if (void *const block = std::aligned_alloc(large_page, size)) {
      madvise(block, size, MADV_HUGEPAGE);  // a wish: without large pages it is memory all the same
      return static_cast<char *>(block);
    }
    throw std::bad_alloc();
  }
  if (void *const block = std::malloc(size)) {
    return static_cast<char *>(block);
  }
  throw std::bad_alloc();
}

}  // namespace

void TextArena::Free::operator()(char *block) const noexcept { std::free(block); }

char *TextArena::allocate(std::size_t size) {
  if (size > left_) {
    add_block(size);
  }
  char *const room = at_;
  at_ += size;
  left_ -= size;
  return room;
}

void TextArena::add_block(std::size_t needed) {
  const std::size_t factor = block_size_ < largest_of_small_pages ? 2 : large_page / largest_of_small_pages;
  block_size_ = std::clamp(factor * block_size_, smallest_block, largest_block);
  std::size_t size = block_size_;
  if (needed > size) {
    if (needed > SIZE_MAX - large_page) {
      throw std::bad_alloc();
    }
    // What is left of the last large page serves the texts after this one.
    size = needed < large_page ? needed : (needed + large_page - 1) / large_page * large_page;
  }
  blocks_.reserve(blocks_.size() + 1);
  blocks_.emplace_back(new_block(size));
  at_ = blocks_.back().get();
  left_ = size;
}

}  // namespace dsh::loader
