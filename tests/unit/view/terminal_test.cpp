#include "view/terminal.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <map>

namespace dsh::loader {
namespace {

/// Both ends of a terminal of `columns` × 24.
class Pty {
 public:
  explicit Pty(unsigned short columns) {
    winsize size{24, columns, 0, 0};
    if (openpty(&master_, &slave_, nullptr, nullptr, &size) != 0)
      throw std::runtime_error("no pseudo terminal");
  }
  ~Pty() {
    close(master_);
    close(slave_);
  }
  Pty(const Pty &) = delete;
  Pty &operator=(const Pty &) = delete;
  int slave() const { return slave_; }

 private:
  int master_ = -1;
  int slave_ = -1;
};

Environment environment(std::map<std::string, std::string> variables) {
  return [variables = std::move(variables)](const char *name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::string() : found->second;
  };
}

TEST(Terminal, a_pipe_gets_whole_plain_lines) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const Style style = detect_style(ends[1], environment({{"TERM", "xterm"}, {"COLUMNS", "40"}}));
  EXPECT_EQ(style.width, 0U);
  EXPECT_FALSE(style.colour);
  EXPECT_FALSE(has_cursor(ends[1], environment({{"TERM", "xterm"}})));
  close(ends[0]);
  close(ends[1]);
}

TEST(Terminal, has_the_width_that_it_says_or_a_narrower_one_that_is_asked_for) {
  const Pty pty(100);
  EXPECT_EQ(detect_style(pty.slave(), environment({})).width, 100U);
  EXPECT_EQ(detect_style(pty.slave(), environment({{"COLUMNS", "40"}})).width, 40U);
  EXPECT_EQ(detect_style(pty.slave(), environment({{"COLUMNS", "200"}})).width, 100U);
  EXPECT_EQ(detect_style(pty.slave(), environment({{"COLUMNS", "wide"}})).width, 100U);
  const Pty unknown(0);
  EXPECT_EQ(detect_style(unknown.slave(), environment({})).width, 80U);
  EXPECT_EQ(detect_style(unknown.slave(), environment({{"COLUMNS", "200"}})).width, 200U);
}

TEST(Terminal, one_that_does_not_know_its_size_has_24_rows) {
  Pty unknown(0);
  const winsize none{};
  ASSERT_EQ(ioctl(unknown.slave(), TIOCSWINSZ, &none), 0);
  EXPECT_EQ(screen_size(unknown.slave()).rows, 24U);
  EXPECT_EQ(screen_size(-1).rows, 0U);
}

TEST(Terminal, colour_is_off_where_it_is_not_wanted_or_not_understood) {
  const Pty pty(80);
  const auto colour = [&](std::map<std::string, std::string> variables) {
    return detect_style(pty.slave(), environment(std::move(variables))).colour;
  };
  EXPECT_TRUE(colour({{"TERM", "xterm"}}));
  EXPECT_TRUE(colour({{"TERM", "xterm"}, {"NO_COLOR", ""}}));
  EXPECT_FALSE(colour({{"TERM", "xterm"}, {"NO_COLOR", "1"}}));
  EXPECT_FALSE(colour({{"TERM", "dumb"}}));
  EXPECT_FALSE(colour({}));
}

TEST(Terminal, characters_beyond_ascii_need_a_utf8_locale_on_terminals_and_in_pipes) {
  const Pty pty(80);
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  for (const int descriptor : {pty.slave(), ends[1]}) {
    const auto unicode = [&](std::map<std::string, std::string> variables) {
      variables.emplace("TERM", "xterm");
      return detect_style(descriptor, environment(std::move(variables))).unicode;
    };
    EXPECT_TRUE(unicode({{"LANG", "en_US.UTF-8"}}));
    EXPECT_TRUE(unicode({{"LANG", "C"}, {"LC_CTYPE", "C.utf8"}}));
    EXPECT_FALSE(unicode({{"LANG", "en_US.UTF-8"}, {"LC_ALL", "C"}}));
    EXPECT_FALSE(unicode({{"LANG", "de_DE"}}));
    EXPECT_FALSE(unicode({}));
    EXPECT_FALSE(unicode({{"LANG", "en_US.UTF-8"}, {"TERM", "dumb"}}));
  }
  close(ends[0]);
  close(ends[1]);
}

}  // namespace
}  // namespace dsh::loader
