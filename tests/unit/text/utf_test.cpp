#include "text/utf.hpp"

#include <gtest/gtest.h>

namespace dsh::loader {
namespace {

TEST(Utf, every_code_point_survives_writing_and_reading) {
  for (std::uint32_t value = 0; value <= 0x10FFFF; ++value) {
    std::string text;
    append_code_point(text, value);
    const CodePoint point = decode(text);
    ASSERT_TRUE(point.valid) << std::hex << static_cast<unsigned>(value);
    ASSERT_EQ(point.value, value);
    ASSERT_EQ(point.size, text.size());
  }
}

TEST(Utf, bytes_that_begin_nothing_are_strays) {
  for (const std::string_view text :
       {"\x80", "\xbf", "\xc0\x80", "\xc1\xbf", "\xc3", "\xc3(", "\xe0\x80\x80", "\xe2\x82",
        "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff"}) {
    const CodePoint point = decode(text);
    EXPECT_FALSE(point.valid) << testing::PrintToString(text);
    EXPECT_GE(point.size, 1U);
    EXPECT_LE(point.size, text.size());
    EXPECT_EQ(point.value, 0xFFFDU);
  }
}

TEST(Utf, utf16_units) {
  EXPECT_EQ(to_utf16("a索🧠"), u"a索🧠");
  const std::u16string lone{0xD800, u'a', 0xDC00};
  EXPECT_EQ(to_utf16("\xed\xa0\x80"
                     "a\xed\xb0\x80"),
            lone);
}

TEST(Utf, strict_text_has_neither_surrogates_nor_strays) {
  EXPECT_EQ(to_utf8("a\xed\xa0\x80z\xff"), "a\uFFFDz\uFFFD");
  EXPECT_EQ(to_utf8("索引🧠"), "索引🧠");
  EXPECT_EQ(to_wtf8("a\xed\xa0\x80z\xff"), "a\xed\xa0\x80z\uFFFD");
  EXPECT_TRUE(is_utf8("索引🧠"));
  EXPECT_FALSE(is_utf8("\xed\xa0\x80"));
  EXPECT_TRUE(is_wtf8("\xed\xa0\x80"));
  EXPECT_FALSE(is_wtf8("\xff"));
}

}  // namespace
}  // namespace dsh::loader
