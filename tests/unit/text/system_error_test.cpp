#include "text/system_error.hpp"

#include <gtest/gtest.h>

namespace dsh::loader {
namespace {

TEST(SystemError, says_what_the_number_means) {
  EXPECT_EQ(system_error_text("can't open /x", ENOENT), "can't open /x: No such file or directory");
}

TEST(Retried, makes_a_call_again_where_a_signal_came_between) {
  int calls = 0;
  const auto fails_with = [&calls](int error, int times) {
    return [&calls, error, times] {
      errno = error;
      return ++calls <= times ? -1 : 7;
    };
  };
  EXPECT_EQ(retried(fails_with(EINTR, 2)), 7);
  EXPECT_EQ(calls, 3);
  calls = 0;
  EXPECT_EQ(retried(fails_with(EIO, 2)), -1);
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace dsh::loader
