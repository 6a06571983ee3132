#include "text/descriptor.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <utility>

namespace dsh::loader {
namespace {

Descriptor nowhere() { return Descriptor(::open("/dev/null", O_WRONLY | O_CLOEXEC)); }

bool is_open(int number) { return ::fcntl(number, F_GETFD) != -1; }

TEST(Descriptor, closes_what_it_owns_once) {
  int number = -1;
  {
    Descriptor first = nowhere();
    ASSERT_TRUE(first);
    number = first.get();
    const Descriptor second = std::move(first);
    EXPECT_FALSE(first);  // NOLINT(bugprone-use-after-move): it owns none from now on
    EXPECT_EQ(second.get(), number);
    EXPECT_TRUE(is_open(number));
  }
  EXPECT_FALSE(is_open(number));
}

TEST(Descriptor, may_be_closed_early_and_own_none) {
  Descriptor one = nowhere();
  const int number = one.get();
  one.close();
  EXPECT_FALSE(is_open(number));
  EXPECT_FALSE(one);
  one.close();
  EXPECT_EQ(Descriptor().get(), -1);
}

TEST(Descriptor, another_takes_its_place) {
  Descriptor one = nowhere();
  const int former = one.get();
  one = nowhere();
  EXPECT_TRUE(one);
  EXPECT_NE(one.get(), former);
  EXPECT_FALSE(is_open(former));
}

}  // namespace
}  // namespace dsh::loader
