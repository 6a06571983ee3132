#include "check/guarded_bytes.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <optional>

namespace dsh::loader::check {
namespace {

using Access = GuardedBytes::Access;

// Whatever watches this process calls it another name: a signal, or a sanitizer's report.
constexpr const char *any_words = "";

/// A read that the compiler cannot leave out.
char look(const char *address) { return *static_cast<const volatile char *>(address); }

TEST(GuardedBytes, hold_what_was_copied) {
  const GuardedBytes bytes("some text");
  EXPECT_EQ(bytes.view(), "some text");
  EXPECT_EQ(GuardedBytes("").size(), 0U);
}

TEST(GuardedBytesDeathTest, end_at_memory_that_may_not_be_read) {
  const GuardedBytes bytes("some text");
  EXPECT_DEATH(look(bytes.data() + bytes.size()), any_words);
  const GuardedBytes empty("");
  EXPECT_DEATH(look(empty.data()), any_words);
}

TEST(GuardedBytesDeathTest, may_be_written_only_where_asked_for) {
  GuardedBytes writable("text", Access::write);
  *writable.writable() = 'n';
  EXPECT_EQ(writable.view(), "next");
  GuardedBytes readable("text");
  EXPECT_DEATH(*static_cast<volatile char *>(readable.writable()) = 'n', any_words);
}

TEST(GuardedBytesDeathTest, are_out_of_reach_when_they_end) {
  std::optional<GuardedBytes> bytes("text");
  const char *const kept = bytes->data();
  bytes.reset();
  EXPECT_DEATH(look(kept), any_words);
}

TEST(GuardedBytes, are_aligned_and_watched_behind_their_end) {
  GuardedBytes bytes("12345", Access::write, 16);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes.data()) % 16, 0U);
  EXPECT_TRUE(bytes.intact());
  bytes.writable()[5] = 'x';
  EXPECT_FALSE(bytes.intact());
}

TEST(GuardedBytesDeathTest, give_a_struct_no_byte_more_than_it_says) {
  struct Pair {
    std::uint64_t first, second;
  };
  const Guarded<Pair> whole({1, 2});
  EXPECT_EQ(whole.get()->second, 2U);
  const Guarded<Pair> half({1, 2}, sizeof(std::uint64_t));
  EXPECT_EQ(half.get()->first, 1U);
  EXPECT_DEATH(look(reinterpret_cast<const char *>(&half.get()->second)), any_words);
  const Guarded<Pair> longer({1, 2}, sizeof(Pair) + 8);
  EXPECT_EQ(longer.get()->second, 2U);
}

}  // namespace
}  // namespace dsh::loader::check
