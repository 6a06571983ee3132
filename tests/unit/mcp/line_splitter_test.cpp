#include "mcp/line_splitter.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "support/failing_memory.hpp"
#include "support/switches.hpp"

namespace dsh::loader {
namespace {

std::vector<std::string> take(LineSplitter &splitter) {
  std::vector<std::string> lines;
  while (const auto line = splitter.next()) switch (line->loss) {
      case LineSplitter::Loss::none:
        lines.emplace_back(line->text);
        break;
      case LineSplitter::Loss::too_long:
        lines.emplace_back("<long>");
        break;
      case LineSplitter::Loss::no_memory:
        lines.emplace_back("<lost>");
        break;
    }
  return lines;
}

using Lines = std::vector<std::string>;

TEST(LineSplitter, a_line_comes_when_it_is_whole) {
  LineSplitter splitter(100);
  splitter.add("ab");
  EXPECT_EQ(take(splitter), Lines{});
  splitter.add("c\nde\n\nf");
  EXPECT_EQ(take(splitter), (Lines{"abc", "de", ""}));
  splitter.end();
  EXPECT_EQ(take(splitter), Lines{"f"});
  EXPECT_EQ(take(splitter), Lines{});
}

TEST(LineSplitter, a_whole_last_line_is_the_last) {
  LineSplitter splitter(100);
  splitter.add("a\n");
  splitter.end();
  EXPECT_EQ(take(splitter), Lines{"a"});
}

TEST(LineSplitter, a_line_too_long_is_told_once_and_the_next_is_whole) {
  LineSplitter splitter(4);
  splitter.add("abcd\nabcde");
  EXPECT_EQ(take(splitter), Lines{"abcd"});
  splitter.add("fghijklm");
  EXPECT_EQ(take(splitter), Lines{});
  splitter.add("n\nok\nabcde\n");
  EXPECT_EQ(take(splitter), (Lines{"<long>", "ok", "<long>"}));
  splitter.add("abcdef");
  EXPECT_EQ(take(splitter), Lines{});
  splitter.end();
  EXPECT_EQ(take(splitter), Lines{"<long>"});
}

TEST(LineSplitter, a_line_without_memory_is_told_once_and_those_before_and_after_are_whole) {
  const std::string part(5000, 'x');
  for (const std::string before : {"", "whole\n"}) {
    LineSplitter splitter(1'000'000);
    splitter.add(before + part);
    const std::string more = part + part;
    bool starved = false;
    {
      const test::FailingMemory memory(0);
      splitter.add(more);
      starved = memory.met();
    }
    EXPECT_TRUE(starved);
    splitter.add(part + "\nnext\n" + part);
    const Lines next = before.empty() ? Lines{"<lost>", "next"} : Lines{"whole", "<lost>", "next"};
    EXPECT_EQ(take(splitter), next);
    splitter.end();
    EXPECT_EQ(take(splitter), Lines{part});
  }
}

TEST(LineSplitter, however_the_bytes_are_cut_the_lines_are_the_same) {
  const std::uint32_t seed = test_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  for (int round = 0; round < 500; ++round) {
    std::string text;
    for (auto left = random() % 200; left > 0; --left)
      text += random() % 5 == 0 ? '\n' : "\0a\xe7\r"[random() % 4];
    LineSplitter at_once(7);
    at_once.add(text);
    at_once.end();
    const Lines expected = take(at_once);
    LineSplitter pieces(7);
    Lines lines;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t size = 1 + random() % 9;
      pieces.add(std::string_view(text).substr(at, size));
      at += size;
      for (std::string &line : take(pieces)) lines.push_back(std::move(line));
    }
    pieces.end();
    for (std::string &line : take(pieces)) lines.push_back(std::move(line));
    ASSERT_EQ(lines, expected);
  }
}

}  // namespace
}  // namespace dsh::loader
