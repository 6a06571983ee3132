#include "commands/reading_progress.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>

#include "support/temporary_directory.hpp"

namespace dsh::loader {
namespace {

/// A terminal in the place of stderr.
class TerminalAsStderr {
 public:
  TerminalAsStderr() : stderr_(::dup(STDERR_FILENO)) {
    int slave = -1;
    if (openpty(&master_, &slave, nullptr, nullptr, nullptr) != 0)
      throw std::runtime_error("no pseudo terminal");
    ::dup2(slave, STDERR_FILENO);
    ::close(slave);
    ::fcntl(master_, F_SETFL, O_NONBLOCK);
  }
  ~TerminalAsStderr() {
    ::dup2(stderr_, STDERR_FILENO);
    ::close(stderr_);
    ::close(master_);
  }
  TerminalAsStderr(const TerminalAsStderr &) = delete;
  TerminalAsStderr &operator=(const TerminalAsStderr &) = delete;

  /// What was written since the last time.
  std::string seen() const {
    std::string seen;
    std::array<char, 4096> bytes{};
    for (ssize_t size = 0; (size = ::read(master_, bytes.data(), bytes.size())) > 0;)
      seen.append(bytes.data(), static_cast<std::size_t>(size));
    return seen;
  }

 private:
  int stderr_;
  int master_ = -1;
};

class ReadingProgressTest : public testing::Test {
 protected:
  void SetUp() override { ::setenv("TERM", "xterm", 1); }

  int open() {
    const std::string path = directory_.write("log", std::string(100, 'x'));
    return progress_.open(path.c_str(), O_RDONLY | O_CLOEXEC, 0);
  }

  /// Reads four pieces of ten bytes of a file of a hundred, from `offset` on, and `pause` passes before each.
  void read_some(int fd, std::chrono::milliseconds pause, std::int64_t offset = 0) {
    std::array<char, 10> piece{};
    for (int i = 0; i < 4; ++i, offset += 10) {
      now_ += pause;
      ASSERT_EQ(progress_.pread(fd, piece.data(), piece.size(), offset), 10);
    }
  }

  TemporaryDirectory directory_;
  TerminalAsStderr terminal_;
  Progress::Clock::time_point now_;
  ReadingProgress progress_{system_file_ops(), [this] { return now_; }};
};

TEST_F(ReadingProgressTest, tells_how_far_a_slow_file_has_been_read_and_leaves_no_trace) {
  const int fd = open();
  read_some(fd, std::chrono::milliseconds(400));
  const std::string seen = terminal_.seen();
  EXPECT_THAT(seen, testing::AllOf(testing::HasSubstr("30 %"), testing::HasSubstr("40 %"),
                                   testing::HasSubstr(directory_.path() + "/log")));
  EXPECT_EQ(progress_.close(fd), 0);
  EXPECT_EQ(terminal_.seen(), "\r\x1b[K");
}

TEST_F(ReadingProgressTest, is_gone_once_all_of_a_file_that_stays_open_has_been_read) {
  const int fd = open();
  read_some(fd, std::chrono::milliseconds(400));
  std::array<char, 100> rest{};
  ASSERT_EQ(progress_.pread(fd, rest.data(), rest.size(), 40), 60);
  EXPECT_THAT(terminal_.seen(), testing::EndsWith(directory_.path() + "/log\r\x1b[K"));
  EXPECT_EQ(progress_.close(fd), 0);
}

TEST_F(ReadingProgressTest, counts_only_what_is_read_from_the_start_on) {
  const int fd = open();
  read_some(fd, std::chrono::milliseconds(400), 50);
  EXPECT_EQ(terminal_.seen(), "");
  EXPECT_EQ(progress_.close(fd), 0);
}

TEST_F(ReadingProgressTest, says_nothing_of_what_is_read_at_once) {
  const int fd = open();
  read_some(fd, std::chrono::milliseconds(0));
  EXPECT_EQ(progress_.close(fd), 0);
  EXPECT_EQ(terminal_.seen(), "");
}

TEST_F(ReadingProgressTest, passes_errors_on) {
  errno = 0;
  EXPECT_EQ(progress_.open("/nonexistent", O_RDONLY, 0), -1);
  EXPECT_EQ(errno, ENOENT);
  char byte = 0;
  EXPECT_EQ(progress_.pread(-1, &byte, 1, 0), -1);
  EXPECT_EQ(errno, EBADF);
}

}  // namespace
}  // namespace dsh::loader
