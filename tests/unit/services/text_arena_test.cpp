#include "services/text_arena.hpp"

#include <gtest/gtest.h>
#include <malloc.h>

#include <cstdint>
#include <cstring>
#include <new>
#include <string>
#include <string_view>
#include <vector>

namespace dsh::loader {
namespace {

std::string_view keep(TextArena &arena, const std::string &text) {
  char *const room = arena.allocate(text.size());
  std::memcpy(room, text.data(), text.size());
  return {room, text.size()};
}

TEST(TextArena, keeps_texts_of_every_size_apart) {
  TextArena arena;
  std::vector<std::string> texts;
  for (const std::size_t size : {0, 1, 4095, 4096, 4097, 100'000, 3, 2 << 20, (2 << 20) + 1, 9'000'000, 7})
    texts.emplace_back(size, static_cast<char>('a' + texts.size()));
  std::vector<std::string_view> kept;
  for (int round = 0; round < 3; ++round)
    for (const std::string &text : texts) kept.push_back(keep(arena, text));
  for (std::size_t i = 0; i < kept.size(); ++i) EXPECT_EQ(kept[i], texts[i % texts.size()]) << i;
}

TEST(TextArena, lays_small_texts_side_by_side) {
  TextArena arena;
  std::size_t apart = 0;
  const char *end = nullptr;
  for (int i = 0; i < 100'000; ++i) {
    const char *const room = arena.allocate(100);
    apart += room == end ? 0 : 1;
    end = room + 100;
  }
  EXPECT_LT(apart, 20U) << "ten megabytes in few blocks";
}

#if !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)  // whose heaps say nothing of what they hold
std::size_t heap() {
  const auto now = mallinfo2();
  return now.uordblks + now.hblkhd;
}

TEST(TextArena, holds_twice_what_it_is_given_at_most) {
  constexpr std::size_t text = 1000;
  // Its first blocks, the list of them, and what beginning at a page adds to each block.
  constexpr std::size_t for_itself = std::size_t{64} << 10U;
  const std::size_t before = heap();
  TextArena arena;
  for (std::size_t given = text; given < 2'000'000; given += text) {
    arena.allocate(text);
    ASSERT_LE(heap() - before, 2 * given + for_itself) << "for " << given;
  }
}
#endif

TEST(TextArena, refuses_what_no_memory_holds) {
  TextArena arena;
  EXPECT_THROW(arena.allocate(SIZE_MAX), std::bad_alloc);
  EXPECT_THROW(arena.allocate(SIZE_MAX / 2), std::bad_alloc);
  EXPECT_EQ(keep(arena, "still there"), "still there");
}

}  // namespace
}  // namespace dsh::loader
