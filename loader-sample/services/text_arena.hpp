// Memory for texts that are kept until all of them go.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace dsh::loader {

/// Hands out room in blocks, which stay in place until the arena goes. Each is twice as large as the one
/// before, up to a few large pages: half of what an arena holds, at most, is still to be handed out.
///
/// Rationale: memory fresh from the system costs a fault for every page of it, which takes several times
/// as long as copying a text there; so blocks of many pages have them made at once, or ask for large ones.
class TextArena {
 public:
  TextArena() = default;
  TextArena(TextArena &&other) noexcept { swap(other); }
  TextArena &operator=(TextArena other) noexcept {
    swap(other);
    return *this;
  }

  /// Room for `size` bytes. Throws std::bad_alloc.
  char *allocate(std::size_t size);

 private:
  struct Free {
    void operator()(char *block) const noexcept;
  };
  using Block = std::unique_ptr<char, Free>;

  void add_block(std::size_t needed);
  void swap(TextArena &other) noexcept {
    blocks_.swap(other.blocks_);
    std::swap(block_size_, other.block_size_);
    std::swap(at_, other.at_);
    std::swap(left_, other.left_);
  }

  std::vector<Block> blocks_;
  std::size_t block_size_ = 0;  // of the last one, as far as it isn't a single text's
  char *at_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace dsh::loader
