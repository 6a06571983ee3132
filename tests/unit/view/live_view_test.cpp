// The live view against a real pseudo terminal, in a process of its own.
#include "view/live_view.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "support/comes_to_rest.hpp"
#include "support/temporary_directory.hpp"

namespace dsh::loader {
namespace {

using namespace std::chrono_literals;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

constexpr std::string_view enter = "\x1b[?1049h\x1b[?25l";
constexpr std::string_view leave = "\x1b[?25h\x1b[?1049l";

class LiveViewTest : public testing::Test {
 protected:
  LiveViewTest() { write_file("first"); }

  ~LiveViewTest() override {
    if (child_ > 0) {
      kill(child_, SIGKILL);
      waitpid(child_, nullptr, 0);
    }
    if (reader_ >= 0) close(reader_);
  }

  void write_file(const std::string &text) const {
    const auto path = directory_ / "new";
    std::ofstream(path) << text;
    std::filesystem::rename(path, directory_ / "file");
  }

  std::vector<std::string> draw(const Style &style) const {
    std::string text;
    std::ifstream file(directory_ / "file");
    std::getline(file, text);
    if (text == "throw") throw std::runtime_error("unreadable: " + std::string(200, '-') + " reason");
    return {text, "width " + std::to_string(style.width)};
  }

  int show(int descriptor) const {
    return show_live(
        descriptor, [this](const Style &style) { return draw(style); },
        [this] { return std::vector{watched_}; });
  }

  /// Shows the file on a terminal of 80 × 24.
  void start_on_terminal() {
    winsize size{24, 80, 0, 0};
    child_ = forkpty(&reader_, nullptr, nullptr, &size);
    ASSERT_GE(child_, 0);
    if (child_ == 0) {
      setenv("TERM", "xterm", 1);
      setenv("LANG", "C.UTF-8", 1);
      _exit(show(STDOUT_FILENO));
    }
  }

  void start_on_pipe() {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    child_ = fork();
    ASSERT_GE(child_, 0);
    if (child_ == 0) {
      close(ends[0]);
      _exit(show(ends[1]));
    }
    close(ends[1]);
    reader_ = ends[0];
  }

  /// What comes until `text` has, or for twenty seconds.
  std::string read_until(std::string_view text, std::chrono::milliseconds time = 20s) const {
    std::string all;
    const auto end = std::chrono::steady_clock::now() + time;
    while (all.find(text) == std::string::npos && std::chrono::steady_clock::now() < end) {
      pollfd ready{reader_, POLLIN, 0};
      if (poll(&ready, 1, 50) <= 0) continue;
      char bytes[4096];
      const ssize_t size = read(reader_, bytes, sizeof bytes);
      if (size <= 0) break;
      all.append(bytes, static_cast<std::size_t>(size));
    }
    return all;
  }

  int exit_status() {
    int status = 0;
    waitpid(child_, &status, 0);
    child_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  TemporaryDirectory temporary_;
  std::filesystem::path directory_ = temporary_.path();
  std::filesystem::path watched_ = directory_;
  pid_t child_ = -1;
  int reader_ = -1;
};

TEST_F(LiveViewTest, draws_in_place_when_the_file_changes) {
  start_on_terminal();
  const std::string first = read_until("width 79\x1b[K\x1b[J\x1b[?7h\x1b[?2026l");
  EXPECT_THAT(first, StartsWith(std::string(enter) + "\x1b[?2026h\x1b[?7l\x1b[Hfirst\x1b[K"));
  write_file("second");
  EXPECT_THAT(read_until("second"), HasSubstr("\x1b[Hsecond"));
}

TEST_F(LiveViewTest, where_the_kernel_does_not_tell_of_changes_they_are_looked_for) {
  watched_ /= std::string(300, 'x');  // no directory has such a name
  start_on_terminal();
  read_until("2026l");
  for (const char *text : {"second", "third"}) {
    write_file(text);
    EXPECT_THAT(read_until(text), HasSubstr(text));
  }
}

TEST_F(LiveViewTest, a_change_that_shows_nothing_new_writes_nothing) {
  start_on_terminal();
  read_until("2026l");
  write_file("first");
  EXPECT_EQ(read_until("first", 300ms), "");
}

TEST_F(LiveViewTest, follows_the_size_of_the_terminal) {
  start_on_terminal();
  read_until("2026l");
  const winsize size{1, 40, 0, 0};
  ASSERT_EQ(ioctl(reader_, TIOCSWINSZ, &size), 0);
  const std::string frame = read_until("2026l");
  EXPECT_THAT(frame, HasSubstr("first"));
  EXPECT_THAT(frame, Not(HasSubstr("\r\n"))) << "one row has room for one line";
}

TEST_F(LiveViewTest, a_signal_ends_it_and_the_terminal_is_as_before) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    start_on_terminal();
    read_until("2026l");
    kill(child_, signal);
    EXPECT_THAT(read_until("width 79\r\n"), StartsWith(std::string(leave) + "first\r\n"));
    EXPECT_EQ(exit_status(), signal);
    close(reader_);
    reader_ = -1;
  }
}

TEST_F(LiveViewTest, keys_are_not_echoed_and_q_ends_it) {
  start_on_terminal();
  read_until("2026l");
  ASSERT_EQ(write(reader_, "xyz\n", 4), 4);
  EXPECT_EQ(read_until("xyz", 200ms), "");
  ASSERT_EQ(write(reader_, "q", 1), 1);
  EXPECT_THAT(read_until(leave), HasSubstr(leave));
  EXPECT_EQ(exit_status(), 0);
}

TEST_F(LiveViewTest, what_cannot_be_drawn_is_told_and_may_pass) {
  start_on_terminal();
  read_until("2026l");
  write_file("throw");
  EXPECT_THAT(read_until("reason"), HasSubstr("reason")) << "in as many lines as it takes";
  write_file("third");
  EXPECT_THAT(read_until("third"), HasSubstr("third"));
}

TEST_F(LiveViewTest, the_first_frame_may_refuse_before_the_terminal_is_touched) {
  write_file("throw");
  EXPECT_THROW(show(STDOUT_FILENO), std::runtime_error);
}

TEST_F(LiveViewTest, a_directory_that_comes_later_is_noticed) {
  std::filesystem::remove_all(directory_);
  start_on_terminal();
  read_until("2026l");
  std::filesystem::create_directory(directory_);
  std::this_thread::sleep_for(100ms);
  write_file("here");
  EXPECT_THAT(read_until("here"), HasSubstr("here"));
}

TEST_F(LiveViewTest, sleeps_while_nothing_changes) {
  start_on_terminal();
  read_until("2026l");
  const auto switches = [&] {
    std::ifstream status("/proc/" + std::to_string(child_) + "/status");
    std::string line;
    long sum = 0;
    while (std::getline(status, line))
      if (line.find("ctxt_switches") != std::string::npos) sum += std::stol(line.substr(line.find(':') + 1));
    return sum;
  };
  ASSERT_GT(switches(), 0);
  EXPECT_TRUE(test::comes_to_rest(switches));
}

TEST_F(LiveViewTest, a_pipe_gets_the_frames_one_after_another_and_its_end_ends_it) {
  start_on_pipe();
  EXPECT_EQ(read_until("width 0\n"), "first\nwidth 0\n");
  write_file("second");
  EXPECT_EQ(read_until("width 0\n"), "\nsecond\nwidth 0\n");
  close(reader_);
  reader_ = -1;
  EXPECT_EQ(exit_status(), 0) << "without another write";
}

}  // namespace
}  // namespace dsh::loader
