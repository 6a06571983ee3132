#include "view/paragraph.hpp"

#include <gtest/gtest.h>

namespace dsh::loader {
namespace {

using Lines = std::vector<std::string>;

Style wide(std::size_t width) {
  Style style;
  style.width = width;
  return style;
}

StyledLine behind(const Style &style, std::string_view head) { return StyledLine(style).add(head); }

TEST(Paragraph, goes_on_indented_where_a_line_ends) {
  EXPECT_EQ(hanging(behind(wide(16), "  note: "), "read the whole text", 4),
            (Lines{"  note: read the", "    whole text"}));
  EXPECT_EQ(hanging(behind(wide(0), "  note: "), "read the whole text", 4),
            Lines{"  note: read the whole text"});
  EXPECT_EQ(hanging(StyledLine(wide(9)), "索引 索引 索引", 0), (Lines{"索引 索引", "索引"}));
}

TEST(Paragraph, a_word_too_wide_stands_whole_on_a_line_of_its_own) {
  const std::string path = "/a/path/that/is/long";
  EXPECT_EQ(hanging(behind(wide(12), "file "), path + " is there", 2),
            (Lines{"file", "  " + path, "  is there"}));
  EXPECT_EQ(hanging(StyledLine(wide(12)), path, 2), Lines{path});
  EXPECT_EQ(hanging(behind(wide(12), "    "), path, 4), Lines{"    " + path})
      << "no line of blanks before it";
}

TEST(Paragraph, colour_begins_and_ends_with_each_line) {
  Style style = wide(8);
  style.colour = true;
  EXPECT_EQ(hanging(StyledLine(style), "one two three", 1, Paint::red),
            (Lines{"\x1b[31mone two\x1b[0m", " \x1b[31mthree\x1b[0m"}));
}

TEST(Paragraph, nothing_is_an_empty_line) { EXPECT_EQ(hanging(StyledLine(wide(8)), "", 2), Lines{""}); }

TEST(Paragraph, a_foreign_text_keeps_its_lines_and_their_indentation) {
  EXPECT_EQ(shown_lines("{\n  \"a\": \x1b\n}", 4, wide(0)), (Lines{"    {", "      \"a\": \\x1b", "    }"}));
  EXPECT_EQ(shown_lines("{\n  \"a b\": 1\n}", 1, wide(9)), (Lines{" {", "   \"a b\":", "     1", " }"}));
}

TEST(Definition, the_meaning_stands_beside_the_term_or_below_where_there_is_no_room) {
  EXPECT_EQ(definition("--a", "what it does", 10, wide(80)), Lines{"  --a     what it does"});
  EXPECT_EQ(definition("--a-long-one", "what it does", 10, wide(0)), Lines{"  --a-long-one  what it does"});
  EXPECT_EQ(definition("--a", "what it does", 10, wide(20)), (Lines{"  --a", "      what it does"}));
}

TEST(Lines, are_put_behind_others_and_each_ends_in_a_text) {
  Lines lines{"a"};
  add_lines(lines, {"b", ""});
  EXPECT_EQ(lines, (Lines{"a", "b", ""}));
  EXPECT_EQ(joined(lines), "a\nb\n\n");
}

}  // namespace
}  // namespace dsh::loader
