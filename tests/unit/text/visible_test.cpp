#include "text/visible.hpp"

#include <gtest/gtest.h>

#include "text/utf.hpp"

namespace dsh::loader {
namespace {

TEST(Visible, ordinary_text_of_any_script_stays) {
  for (const std::string_view text :
       {"", "Read the code", "索引🧠", "שלום", "é", "👩‍👩‍👧", "❤️"}) {
    EXPECT_EQ(visible(text), text);
  }
}

TEST(Visible, escape_sequences_are_shown) {
  EXPECT_EQ(visible("\x1b[31mred\x07"), "␛[31mred␇");
  EXPECT_EQ(visible("\x1b[31mred\x07", Charset::ascii), "\\x1b[31mred\\x07");
  EXPECT_EQ(visible("\u009b31m"), "\\u{9b}31m");
  EXPECT_EQ(visible("\x7f"), "␡");
}

TEST(Visible, a_line_break_of_any_kind_is_one_mark) {
  EXPECT_EQ(visible("a\nb\rc\r\nd\u0085e\u2028f\u2029g"), "a↵b↵c↵d↵e↵f↵g");
  EXPECT_EQ(visible("a\nb\r\nc\td", Charset::ascii), "a\\nb\\nc\\td");
}

TEST(Visible, bidirectional_controls_are_shown) {
  EXPECT_EQ(visible("a\u202etxt.exe"), "a\\u{202e}txt.exe");
  EXPECT_EQ(visible("\u2066x\u2069"), "\\u{2066}x\\u{2069}");
}

TEST(Visible, what_is_no_character_is_replaced) {
  EXPECT_EQ(visible("a\xed\xa0\xbdz\xff"), "a\uFFFDz\uFFFD");
  EXPECT_EQ(visible(std::string_view("a\0z", 3)), "a␀z");
}

TEST(Visible, ascii_writes_nothing_else) {
  EXPECT_EQ(visible("索🧠é", Charset::ascii), "\\u{7d22}\\u{1f9e0}\\u{e9}");
}

TEST(Visible, no_code_point_gives_a_control_or_a_line_break) {
  for (char32_t value = 0; value <= 0x10FFFF; ++value) {
    std::string text;
    append_code_point(text, value);
    for (const Charset charset : {Charset::unicode, Charset::ascii}) {
      std::string_view shown;
      const std::string whole = visible(text, charset);
      for (shown = whole; !shown.empty();) {
        const CodePoint point = first_code_point(shown);
        const char32_t c = point.value;
        ASSERT_TRUE(point.valid && !is_surrogate(c));
        ASSERT_TRUE(c >= 0x20 && (c < 0x7F || c >= 0xA0) && c != 0x2028 && c != 0x2029)
            << static_cast<unsigned>(value);
        ASSERT_TRUE(charset == Charset::unicode || c < 0x7F) << static_cast<unsigned>(value);
        shown.remove_prefix(point.size);
      }
    }
  }
}

}  // namespace
}  // namespace dsh::loader
