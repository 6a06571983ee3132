#include "text/json_array.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace dsh::loader {
namespace {

TEST(JsonArray, is_put_together_of_its_elements) {
  const auto print = [](int number) { return std::to_string(number); };
  EXPECT_EQ(json_array(std::vector<int>{}, print), "[]");
  EXPECT_EQ(json_array(std::vector<int>{1, 2}, print), "[1,2]");
}

TEST(JsonArray, of_strings_is_escaped) {
  EXPECT_EQ(json_strings(std::vector<std::string>{"a\"b", ""}), R"(["a\"b",""])");
}

}  // namespace
}  // namespace dsh::loader
