#include "text/visible.hpp"

#include <gtest/gtest.h>

#include <array>
#include <boost/json.hpp>
#include <random>
#include <string>

#include "text/json_text.hpp"
#include "text/utf.hpp"

namespace dsh::loader {
namespace {

TEST(Visible, ordinary_text_of_any_script_stays) {
  for (const std::string_view text :
       {"", "Read the code", "索引🧠", "שלום", "é", "👩‍👩‍👧", "❤️"})
    EXPECT_EQ(visible(text), text);
}

TEST(Visible, escape_sequences_are_shown) {
  EXPECT_EQ(visible("\x1b[31mred\x07"), "\\x1b[31mred\\x07");
  EXPECT_EQ(visible("\u009b31m"), "\\x9b31m");
  EXPECT_EQ(visible("\x7f"), "\\x7f");
  EXPECT_EQ(visible(std::string_view("a\0z", 3)), "a\\x00z");
}

TEST(Visible, a_line_end_of_any_kind_is_shown) {
  EXPECT_EQ(visible("a\nb\rc\r\nd\u0085e\u2028f\u2029g\th"), "a\\nb\\rc\\r\\nd\\x85e\\u2028f\\u2029g\\th");
}

TEST(Visible, what_turns_or_hides_text_is_shown) {
  EXPECT_EQ(visible("a\u202etxt.exe"), "a\\u202etxt.exe");
  EXPECT_EQ(visible("\u2066x\u2069"), "\\u2066x\\u2069");
  EXPECT_EQ(visible("a\U000E0041"), "a\\u{e0041}");
}

TEST(Visible, what_is_no_character_is_replaced) {
  EXPECT_EQ(visible("a\xed\xa0\xbdz\xff"), "a\uFFFDz\uFFFD");
}

TEST(Visible, a_text_is_its_code_points_one_by_one) {
  constexpr std::array<std::string_view, 12> parts = {"a", " ",  "~",    "\x1b",   "\n",           "\x7f",
                                                      "é", "索", "🧠", "\u202e", "\xed\xa0\x80", "\u0085"};
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string whole;
    std::string expected;
    for (std::size_t left = random() % 20; left > 0; --left) {
      const std::string_view part = parts[random() % parts.size()];
      whole += part;
      expected += visible(part);
    }
    EXPECT_EQ(visible(whole), expected);
  }
}

TEST(VisibleJson, what_a_terminal_would_obey_is_an_escape) {
  EXPECT_EQ(visible_json("{\"a\":\"\u009b2J\x7f\u202e\u061c\uFEFF\u2028z\"}"),
            R"({"a":"\u009b2J\u007f\u202e\u061c\ufeff\u2028z"})");
  EXPECT_EQ(visible_json("\"\U000E0041\""), R"("\udb40\udc41")");
  EXPECT_EQ(visible_json("\u0085"), "\\u0085");
}

TEST(VisibleJson, everything_else_stays_as_it_is) {
  for (const std::string text :
       {R"({"a":"\u001b\ud800","b":[1.50,"索引🧠é…שלום，👩‍👩‍👧"]})", "", "[ 1 ]\n"})
    EXPECT_EQ(visible_json(text), text);
}

TEST(VisibleJson, each_code_point_is_escaped_where_it_is_marked) {
  for (std::uint32_t value = 0x7F; value <= 0x10FFFF; ++value) {
    if (is_surrogate(value)) continue;
    std::string text = "\"";
    append_code_point(text, value);
    text += '"';
    const bool marked = visible(text) != text;
    const std::string json = visible_json(text);
    ASSERT_EQ(json != text, marked) << value;
    if (!marked) continue;
    ASSERT_EQ(json_string(std::string(parse_json(json).as_string())), text) << value;
  }
}

TEST(Visible, no_code_point_gives_a_control_or_a_line_break) {
  for (std::uint32_t value = 0; value <= 0x10FFFF; ++value) {
    std::string text;
    append_code_point(text, value);
    const std::string whole = visible(text);
    for (std::string_view rest = whole; !rest.empty();) {
      const CodePoint point = decode(rest);
      const std::uint32_t c = point.value;
      ASSERT_TRUE(point.valid && !is_surrogate(c)) << value;
      ASSERT_TRUE(c >= 0x20 && (c < 0x7F || c >= 0xA0) && c != 0x2028 && c != 0x2029) << value;
      rest.remove_prefix(point.size);
    }
  }
}

}  // namespace
}  // namespace dsh::loader
