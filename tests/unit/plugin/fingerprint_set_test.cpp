#include "fingerprint_set.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "support/switches.hpp"

namespace dsh::todo {
namespace {

TEST(FingerprintSet, knows_what_was_inserted_however_many) {
  std::vector<std::string> texts;
  for (int i = 0; i < 100000; ++i) texts.push_back("text " + std::to_string(i));
  FingerprintSet set;
  for (const std::string &text : texts) ASSERT_TRUE(set.insert(text)) << text;
  for (const std::string &text : texts) ASSERT_FALSE(set.insert(text)) << text;
}

TEST(FingerprintSet, agrees_with_a_set_on_random_texts) {
  std::mt19937 random(test_seed());
  std::vector<std::string> texts;
  for (int i = 0; i < 20000; ++i) {
    std::string text(random() % 20, '\0');
    for (char &c : text) c = static_cast<char>(random() % 3);
    texts.push_back(std::move(text));
  }
  FingerprintSet set;
  std::set<std::string> expected;
  for (const std::string &text : texts) ASSERT_EQ(set.insert(text), expected.insert(text).second);
}

TEST(FingerprintSet, a_size_does_not_undo_a_character) {
  FingerprintSet set;
  EXPECT_TRUE(set.insert("aaaaaaaaa"));
  EXPECT_TRUE(set.insert("baaaaaaaaa"));
  EXPECT_TRUE(set.insert("\2"));
  EXPECT_TRUE(set.insert(std::string_view("\0\1", 2)));
}

TEST(FingerprintSet, tells_texts_apart_that_differ_in_length_or_in_zeros_only) {
  const std::string zeros(20, '\0');
  FingerprintSet set;
  for (std::size_t size = 1; size <= zeros.size(); ++size)
    EXPECT_TRUE(set.insert(std::string_view(zeros).substr(0, size)));
  for (std::size_t size = 1; size <= zeros.size(); ++size)
    EXPECT_FALSE(set.insert(std::string_view(zeros).substr(0, size)));
}

TEST(FingerprintSet, a_text_in_pieces_is_the_text) {
  std::mt19937 random(test_seed());
  for (const std::size_t size : {0U, 1U, 16U, 17U, 4095U, 4096U, 4097U, 8192U, 8200U, 50000U}) {
    const std::string text(size, 'x');
    std::string_view rest = text;
    const auto next = [&](std::string_view &piece) {
      piece = rest.substr(0, random() % 5000);
      rest.remove_prefix(piece.size());
      return !piece.empty() || !rest.empty();
    };
    FingerprintSet set;
    EXPECT_TRUE(set.insert(text));
    EXPECT_FALSE(set.insert_pieces(next)) << size;
    rest = text;
    FingerprintSet other;
    EXPECT_TRUE(other.insert_pieces(next));
    EXPECT_FALSE(other.insert(text)) << size;
    EXPECT_TRUE(other.insert(text + "x")) << size;
  }
}

TEST(FingerprintSet, looks_at_all_of_a_long_text) {
  FingerprintSet set;
  std::string text(20000, 'x');
  EXPECT_TRUE(set.insert(text));
  for (const std::size_t at : {0U, 4095U, 4096U, 12345U, 19999U}) {
    text[at] = 'y';
    EXPECT_TRUE(set.insert(text)) << at;
  }
}

}  // namespace
}  // namespace dsh::todo
