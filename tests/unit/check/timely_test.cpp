#include "check/timely.hpp"

#include <gtest/gtest.h>

#include <array>

namespace dsh::loader::check {
namespace {

int sum_until(std::chrono::steady_clock::time_point end) {
  constexpr std::array numbers = {1, 10, 100};
  int sum = 0;
  for (const int number : Timely(numbers.data(), numbers.size(), end)) sum += number;
  return sum;
}

TEST(Timely, gives_all_while_there_is_time) {
  EXPECT_EQ(sum_until(std::chrono::steady_clock::time_point::max()), 111);
}

TEST(Timely, gives_the_first_when_there_is_none) {
  EXPECT_EQ(sum_until(std::chrono::steady_clock::time_point::min()), 1);
}

TEST(Timely, gives_nothing_of_nothing) {
  for (const int number : Timely<int>(nullptr, 0, std::chrono::steady_clock::time_point::max()))
    ADD_FAILURE() << number;
}

}  // namespace
}  // namespace dsh::loader::check
