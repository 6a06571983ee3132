#include "services/text_arena.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace dsh::loader {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t smallest_block = page;
constexpr std::size_t many_pages = std::size_t{64} << 10U;
constexpr std::size_t large_page = std::size_t{2} << 20U;
constexpr std::size_t largest_block = 2 * large_page;

// Aligned, so that whole pages can be asked for.
void *aligned(std::size_t alignment, std::size_t size) {
  if (void *const block = std::aligned_alloc(alignment, size)) return block;
  throw std::bad_alloc();
}

char *new_block(std::size_t size) {
  void *block = nullptr;
  // What is asked for are wishes: without large pages, or pages ahead of time, it is memory all the same.
  if (size % large_page == 0) {
    block = aligned(large_page, size);
    madvise(block, size, MADV_HUGEPAGE);
  } else if (size % many_pages == 0) {
    block = aligned(page, size);
    madvise(block, size, MADV_POPULATE_WRITE);
  } else if ((block = std::malloc(size)) == nullptr) {
    throw std::bad_alloc();
  }
  return static_cast<char *>(block);
}

}  // namespace

void TextArena::Free::operator()(char *block) const noexcept { std::free(block); }

char *TextArena::allocate(std::size_t size) {
  if (size > left_) add_block(size);
  char *const room = at_;
  at_ += size;
  left_ -= size;
  return room;
}

void TextArena::add_block(std::size_t needed) {
  block_size_ = std::clamp(2 * block_size_, smallest_block, largest_block);
  std::size_t size = block_size_;
  if (needed > size) {
    if (needed > SIZE_MAX - large_page) throw std::bad_alloc();
    // What is left of the last large page serves the texts after this one.
    size = needed < large_page ? needed : (needed + large_page - 1) / large_page * large_page;
  }
  blocks_.reserve(blocks_.size() + 1);
  blocks_.emplace_back(new_block(size));
  at_ = blocks_.back().get();
  left_ = size;
}

}  // namespace dsh::loader
