#include "commands/output.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <thread>

namespace dsh::loader {
namespace {

TEST(Output, writes_all_to_a_slow_reader_of_a_non_blocking_pipe) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  ASSERT_EQ(::fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
  const std::string text(1 << 20, 'x');
  std::string read;
  std::thread reader([&] {
    char part[1000];
    for (ssize_t got = 0; (got = ::read(ends[0], part, sizeof part)) > 0;)
      read.append(part, static_cast<std::size_t>(got));
  });
  { Output(ends[1]).write(text); }
  reader.join();
  ::close(ends[0]);
  EXPECT_EQ(read, text);
}

TEST(Output, says_that_the_reader_has_gone) {
  std::signal(SIGPIPE, SIG_IGN);
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  ::close(ends[0]);
  const Output output(ends[1]);
  try {
    output.write("x");
    FAIL() << "expected ReaderGone";
  } catch (const ReaderGone &error) {
    EXPECT_STREQ(error.what(), "can't write the result to stdout: Broken pipe");
  }
  try {
    output.write_answer("{}");
    FAIL() << "expected OutputFailure";
  } catch (const ReaderGone &) {
    FAIL() << "a peer that goes before his answers is a failure";
  } catch (const OutputFailure &error) {
    EXPECT_STREQ(error.what(), "can't write the result to stdout: Broken pipe");
  }
}

TEST(Output, says_that_the_disk_is_full) {
  const Output output(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  EXPECT_THROW(output.write("x"), OutputFailure);
}

TEST(Output, of_a_closed_stdout_fails_on_the_first_write) {
  const Output output(-1);
  output.write("");
  EXPECT_THROW(output.write("x"), OutputFailure);
  EXPECT_FALSE(output.is_terminal());
}

}  // namespace
}  // namespace dsh::loader
