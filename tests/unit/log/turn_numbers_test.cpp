#include "log/turn_numbers.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

namespace dsh::loader {
namespace {

LastTurn last_of(std::initializer_list<const char *> turns) {
  LastTurn last;
  for (const char *data : turns) last.follow(data);
  return last;
}

TEST(TurnNumbersTest, a_number_is_counted_on_from_up_to_half_of_the_safe_integers) {
  for (const char *sound : {"0", "1", "1e3", "4503599627370495"})
    EXPECT_TRUE(counted_number("{\"turn\":" + std::string(sound) + "}", "turn")) << sound;
  for (const char *other : {"-1", "1.5", "\"1\"", "null", "4503599627370496", "1e400"})
    EXPECT_FALSE(counted_number("{\"turn\":" + std::string(other) + "}", "turn")) << other;
  EXPECT_FALSE(counted_number("{}", "turn"));
}

TEST(TurnNumbersTest, a_turn_without_a_number_is_the_one_behind_the_one_before_it) {
  EXPECT_EQ(last_of({}).number(), 0);
  EXPECT_EQ(last_of({"{}", R"({"turn":null})"}).number(), 2);
  EXPECT_EQ(last_of({"{}", R"({"turn":7})", "{}", "{}"}).number(), 9);
  EXPECT_EQ(last_of({R"({"turn":7})", R"({"turn":3})"}).number(), 3);
}

TEST(TurnNumbersTest, turns_before_a_numbered_one_do_not_matter) {
  EXPECT_FALSE(last_of({}).is_numbered());
  EXPECT_FALSE(last_of({"{}"}).is_numbered());
  EXPECT_TRUE(last_of({"{}", R"({"turn":7})", "{}"}).is_numbered());
}

}  // namespace
}  // namespace dsh::loader
