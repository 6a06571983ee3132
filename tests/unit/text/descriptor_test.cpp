#include "text/descriptor.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
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

TEST(OpenedAnew, a_pipe_is_written_without_waiting_and_its_other_writers_wait_on) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
  const Descriptor reader(ends[0]);
  const Descriptor given(ends[1]);
  const Descriptor own = opened_anew(given.get());
  ASSERT_TRUE(own);
  EXPECT_NE(::fcntl(own.get(), F_GETFL) & O_NONBLOCK, 0);
  EXPECT_EQ(::fcntl(given.get(), F_GETFL) & O_NONBLOCK, 0);
  EXPECT_NE(::fcntl(own.get(), F_GETFD) & FD_CLOEXEC, 0);
  char byte = 'a';
  EXPECT_EQ(::write(own.get(), &byte, 1), 1);
  byte = '\0';
  EXPECT_EQ(::read(reader.get(), &byte, 1), 1);
  EXPECT_EQ(byte, 'a');
}

TEST(OpenedAnew, there_is_none_of_what_cannot_be_opened) {
  EXPECT_FALSE(opened_anew(-1));
  std::array<int, 2> ends{};
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
  const Descriptor one(ends[0]);
  const Descriptor other(ends[1]);
  EXPECT_FALSE(opened_anew(one.get()));
}

}  // namespace
}  // namespace dsh::loader
