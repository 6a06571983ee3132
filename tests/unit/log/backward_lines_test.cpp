#include "log/backward_lines.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include "support/error_of.hpp"
#include "support/temporary_directory.hpp"
#include "text/error.hpp"
#include "unit/log/shown_lines.hpp"

namespace dsh::loader {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> backwards(const TemporaryDirectory &directory, const std::string &text) {
  const std::string path = directory.write("text", text);
  const OpenedFile opened = open_for_reading(system_file_ops(), path);
  BackwardLines lines(system_file_ops(), opened, path);
  std::vector<std::string> all;
  Line line;
  while (lines.next(line)) all.push_back(shown(line));
  EXPECT_EQ(lines.bytes_read(), text.size());
  std::reverse(all.begin(), all.end());
  return all;
}

TEST(BackwardLines, tell_lines_with_their_place) {
  const TemporaryDirectory directory;
  EXPECT_THAT(backwards(directory, ""), ElementsAre());
  EXPECT_THAT(backwards(directory, "\n"), ElementsAre("0 $"));
  EXPECT_THAT(backwards(directory, "a\n\nb\r\nrest"), ElementsAre("0 a$", "2 $", "3 b\r$", "6 rest"));
}

TEST(BackwardLines, look_at_nothing_that_was_appended_later) {
  const TemporaryDirectory directory;
  const std::string path = directory.write("text", "a\n");
  const OpenedFile opened = open_for_reading(system_file_ops(), path);
  std::ofstream(path, std::ios::app) << "b\n";
  BackwardLines lines(system_file_ops(), opened, path);
  Line line;
  ASSERT_TRUE(lines.next(line));
  EXPECT_EQ(shown(line), "0 a$");
  EXPECT_FALSE(lines.next(line));
}

TEST(BackwardLines, tell_the_same_lines_from_the_end) {
  const TemporaryDirectory directory;
  std::mt19937 random(7);
  for (int round = 0; round < 40; ++round) {
    std::string text;
    // Lines shorter and longer than the steps, which begin at 8 KiB and grow.
    for (std::size_t lines = random() % 60; lines > 0; --lines)
      text.append(random() % (random() % 8 == 0 ? 60'000 : 300), 'x').append("\n");
    if (random() % 2 == 0) text += "torn";
    const auto all = forwards(text, 1 + random() % 5000);
    ASSERT_EQ(backwards(directory, text), all) << round;
  }
}

TEST(BackwardLines, name_a_line_that_is_too_long_as_those_who_read_from_the_start_do) {
  const TemporaryDirectory directory;
  const std::string path = directory.write("text", "a\nb\n");
  const std::string text =
      "line 3 is longer than 256 MiB, which this program doesn't read: the log is left as it is";
  std::filesystem::resize_file(path, 4 + longest_line + 1);
  const OpenedFile opened = open_for_reading(system_file_ops(), path);
  Line line;
  BackwardLines backwards(system_file_ops(), opened, path);
  EXPECT_EQ(error_of([&] { backwards.next(line); }), text);
  RawSource source(system_file_ops(), opened.file, path);
  LineReader forwards(source);
  EXPECT_EQ(error_of([&] {
              while (forwards.next(line)) {
              }
            }),
            text);
  EXPECT_EQ(line.number, 3U);
}

TEST(BackwardLines, a_file_that_was_cut_meanwhile_is_told) {
  const TemporaryDirectory directory;
  const std::string path = directory.write("text", "a\nb\n");
  OpenedFile opened = open_for_reading(system_file_ops(), path);
  opened.size += 1;
  BackwardLines lines(system_file_ops(), opened, path);
  Line line;
  EXPECT_THROW(lines.next(line), Error);
}

}  // namespace
}  // namespace dsh::loader
