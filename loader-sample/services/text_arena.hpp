// Memory for texts that are kept until all of them go.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace dsh::loader {

/// Hands out room in blocks, which stay in place until the arena goes. Blocks grow with what is kept.
///
/// Rationale: memory fresh from the system costs a fault for every page of it, which takes several times
/// as long as copying a text there; so large blocks ask for large pages.
class TextArena {
 public:
  /// Room for `size` bytes. Throws std::bad_alloc.
  char *allocate(std::size_t size);

 private:
  struct Free {
    void operator()(char *block) const noexcept;
  };
  using Block = std::unique_ptr<char, Free>;

  void add_block(std::size_t needed);

  std::vector<Block> blocks_;
  std::size_t block_size_ = 0;  // of the last one, as far as it isn't a single text's
  char *at_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace dsh::loader
