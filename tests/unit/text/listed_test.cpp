#include "text/listed.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace dsh::loader {
namespace {

TEST(Listed, puts_commas_between_and_another_word_before_the_last) {
  const std::array<std::string_view, 3> three = {"a", "b", "c"};
  EXPECT_EQ(listed(three), "a, b, c");
  EXPECT_EQ(listed(three, " or "), "a, b or c");
  EXPECT_EQ(listed(std::vector<std::string>{"a", "b"}, " and "), "a and b");
  EXPECT_EQ(listed(std::vector<std::string>{"a"}, " and "), "a");
  EXPECT_EQ(listed(std::vector<std::string>{}), "");
}

TEST(Listed, keeps_the_place_of_empty_names) {
  EXPECT_EQ(listed(std::vector<std::string>{"", "b", ""}), ", b, ");
}

}  // namespace
}  // namespace dsh::loader
