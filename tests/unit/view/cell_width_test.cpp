#include "view/cell_width.hpp"

#include <gtest/gtest.h>
#include <utf8proc.h>

#include <cstdint>
#include <random>

#include "support/switches.hpp"
#include "text/utf.hpp"
#include "text/visible.hpp"

namespace dsh::loader {
namespace {

TEST(CellWidth, counts_cells_not_code_points) {
  EXPECT_EQ(cell_width(""), 0U);
  EXPECT_EQ(cell_width("abc"), 3U);
  EXPECT_EQ(cell_width("索引"), 4U);
  EXPECT_EQ(cell_width("e\u0301"), 1U) << "a combining accent";
  EXPECT_EQ(cell_width("שלום"), 4U);
  EXPECT_EQ(cell_width("a\u200bb"), 2U) << "a zero-width space";
  EXPECT_EQ(cell_width("한"), 2U);
  EXPECT_EQ(cell_width("\u1112\u1161\u11ab"), 2U) << "the same syllable in jamo";
}

TEST(CellWidth, ascii_is_what_the_tables_say) {
  for (char first = ' '; first <= '~'; ++first) {
    EXPECT_EQ(utf8proc_charwidth(first), 1);
    for (char second = ' '; second <= '~'; ++second) {
      EXPECT_TRUE(utf8proc_grapheme_break(first, second));
      const std::string pair{first, second};
      const Grapheme grapheme = first_grapheme(pair);
      EXPECT_EQ(grapheme.text.size(), 1U);
      EXPECT_EQ(grapheme.width, 1U);
    }
    // What is not ASCII behind it may join it.
    const std::string accented = first + std::string("\u0301");
    EXPECT_EQ(first_grapheme(accented).text, accented);
  }
}

TEST(CellWidth, an_emoji_of_several_code_points_is_never_split) {
  for (const std::string_view glyph :
       {"🧠", "👩‍👩‍👧‍👦", "👍🏽", "🇩🇪", "❤️", "1️⃣", "🏳️‍🌈"}) {
    EXPECT_EQ(first_grapheme(glyph).text, glyph);
    EXPECT_EQ(cut(glyph, 1, "…"), "…");
  }
  EXPECT_EQ(cell_width("🇩🇪"), 2U);
  EXPECT_EQ(cell_width("❤️"), 2U);
  EXPECT_EQ(cell_width("1️⃣"), 2U);
}

TEST(CellWidth, takes_the_width_of_the_terminal_that_joins_nothing) {
  EXPECT_EQ(cell_width("👩‍👩‍👧‍👦"), 8U);
  EXPECT_EQ(cell_width("👍🏽"), 4U);
}

TEST(CellWidth, wide_text_is_cut_on_cells) {
  EXPECT_EQ(cut("索引🧠🧠🧠", 8, "…"), "索引🧠…");
  EXPECT_EQ(cut("索引🧠🧠🧠", 10, "…"), "索引🧠🧠🧠");
  EXPECT_EQ(cut("索引🧠🧠🧠", 9, "…"), "索引🧠🧠…");
  EXPECT_EQ(cut("abcdef", 5, "..."), "ab...");
  EXPECT_EQ(cut("abcdef", 2, "..."), "..");
  EXPECT_EQ(cut("abcdef", 0, "…"), "");
}

TEST(CellWidth, rows_break_at_spaces_and_inside_words_only_where_they_must) {
  using Rows = std::vector<std::string_view>;
  EXPECT_EQ(wrap("read the whole code", 10), (Rows{"read the", "whole code"}));
  EXPECT_EQ(wrap("abcdefghij", 4), (Rows{"abcd", "efgh", "ij"}));
  EXPECT_EQ(wrap("ab   cd", 3), (Rows{"ab", "cd"}));
  EXPECT_EQ(wrap("", 4), (Rows{""}));
  EXPECT_EQ(wrap("索引", 1), (Rows{""})) << "no room for even one glyph";
  EXPECT_EQ(wrap("索引中", 5), (Rows{"索引", "中"}));
}

TEST(CellWidth, no_row_is_wider_than_asked_and_none_is_lost) {
  const std::uint32_t seed = test_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const std::vector<std::u32string> parts{U"a",      U"bc ",    U" ", U"索",     U"🧠",
                                          U"\u0301", U"\u200d", U"👩", U"🇩",      U"\ufe0f",
                                          U"ש",      U"\u093f", U"क", U"\ufffd", U"\u1161"};
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (auto left = random() % 30; left > 0; --left)
      for (const char32_t c : parts[random() % parts.size()]) append_code_point(text, c);
    const std::size_t width = random() % 12;
    ASSERT_LE(cell_width(cut(text, width, "…")), width);
    std::string joined;
    for (const std::string_view row : wrap(text, width)) {
      ASSERT_LE(cell_width(row), width);
      joined += row;
    }
    if (width < 11) continue;  // a cluster of the random parts may be wider
    std::erase(joined, ' ');
    std::erase(text, ' ');
    ASSERT_EQ(joined, text);
  }
}

}  // namespace
}  // namespace dsh::loader
