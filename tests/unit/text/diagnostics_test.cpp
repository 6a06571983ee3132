#include "text/diagnostics.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "text/error.hpp"

namespace dsh::loader {
namespace {

struct Line {
  Level level;
  std::string source;
  std::string text;
};

TEST(Diagnostics, drops_what_is_below_its_level) {
  std::vector<Line> lines;
  const Diagnostics diagnostics(
      [&](Level level, std::string_view source, std::string_view text) {
        lines.push_back({level, std::string(source), std::string(text)});
      },
      Level::warn);
  diagnostics.write(Level::info, "a", "quiet");
  diagnostics.write(Level::warn, "a", "heard");
  diagnostics.write(Level::error, "b", "heard too");
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].text, "heard");
  EXPECT_EQ(lines[1].source, "b");
}

TEST(Diagnostics, lets_nothing_reach_a_terminal_raw) {
  std::string seen;
  const Diagnostics diagnostics([&](Level, std::string_view source, std::string_view text) {
    seen = std::string(source) + "|" + std::string(text);
  });
  diagnostics.write(Level::error, "pl\x1b[2Jugin", "two\nlines \xff {} {0}");
  EXPECT_EQ(seen, "pl\\x1b[2Jugin|two\\nlines \xEF\xBF\xBD {} {0}");
}

TEST(Diagnostics, survives_a_sink_that_throws) {
  const Diagnostics diagnostics(
      [](Level, std::string_view, std::string_view) { throw std::runtime_error("full"); });
  diagnostics.write(Level::error, "a", "b");
}

TEST(Diagnostics, writes_one_line_to_stderr_with_its_level_first) {
  testing::internal::CaptureStderr();
  Diagnostics(Level::info).write(Level::warn, "tool-todo", "braces {} stay");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "warning tool-todo: braces {} stay\n");
}

TEST(Diagnostics, knows_its_levels_by_name) {
  EXPECT_EQ(parse_level("debug"), Level::debug);
  EXPECT_EQ(parse_level("off"), Level::off);
  EXPECT_THROW(parse_level("loud"), Error);
  EXPECT_THROW(parse_level(""), Error);
}

}  // namespace
}  // namespace dsh::loader
