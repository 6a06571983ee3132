#include "check/foreign_memory.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

#include "check/guarded_bytes.hpp"

namespace dsh::loader::check {
namespace {

constexpr const char *out_of_reach = "lies in memory that may not be read";

TEST(ForeignMemory, takes_texts_that_can_be_read) {
  const GuardedBytes bytes(std::string(100'000, 'x'));
  EXPECT_EQ(text_fault(bytes.data(), bytes.size()), std::nullopt);
  EXPECT_EQ(text_fault(bytes.data() + bytes.size() - 1, 1), std::nullopt);
  EXPECT_EQ(text_fault(nullptr, 0), std::nullopt);
  EXPECT_EQ(text_fault(reinterpret_cast<const char *>(64), 0), std::nullopt);
}

TEST(ForeignMemory, tells_why_a_text_cannot_be_read) {
  EXPECT_EQ(text_fault(nullptr, 5), "is null, but has a size of 5 bytes");
  EXPECT_EQ(text_fault("x", std::numeric_limits<std::size_t>::max()),
            "has a size of 18446744073709551615 bytes, and no text is longer than 1073741824");
  EXPECT_EQ(text_fault(reinterpret_cast<const char *>(64), 5), out_of_reach);
  const GuardedBytes bytes(std::string(100'000, 'x'));
  EXPECT_EQ(text_fault(bytes.data(), bytes.size() + 1), out_of_reach);
  EXPECT_EQ(text_fault(bytes.data() + bytes.size(), 1), out_of_reach);
  EXPECT_EQ(text_fault(reinterpret_cast<const char *>(std::numeric_limits<std::uintptr_t>::max() - 3), 100),
            out_of_reach);
}

TEST(ForeignMemory, tells_why_a_struct_cannot_be_read) {
  const GuardedBytes bytes("12345678", GuardedBytes::Access::read, 8);
  EXPECT_EQ(struct_fault(bytes.data(), 8, 8), std::nullopt);
  EXPECT_EQ(struct_fault(nullptr, 8, 8), "is null");
  EXPECT_EQ(struct_fault(bytes.data() + 4, 4, 8), "is not aligned to 8 bytes");
  EXPECT_EQ(struct_fault(bytes.data(), 9, 8), out_of_reach);
}

TEST(ForeignMemory, reads_a_word_no_further_than_its_end) {
  const GuardedBytes word(std::string("WORD\0", 5));
  EXPECT_EQ(word_fault(word.data(), 4), std::nullopt);
  EXPECT_EQ(word_fault(word.data(), 255), std::nullopt);
  EXPECT_EQ(word_fault(word.data(), 3), "does not end with a NUL within 3 bytes");
  const GuardedBytes endless("WORD");
  EXPECT_EQ(word_fault(endless.data(), 255), out_of_reach);
  EXPECT_EQ(word_fault(nullptr, 255), "is null");
}

TEST(ForeignMemory, knows_what_can_be_written) {
  std::int64_t number = 7;
  EXPECT_TRUE(can_write(&number));
  GuardedBytes constant("12345678", GuardedBytes::Access::read, 8);
  EXPECT_FALSE(can_write(reinterpret_cast<std::int64_t *>(constant.writable())));
}

}  // namespace
}  // namespace dsh::loader::check
