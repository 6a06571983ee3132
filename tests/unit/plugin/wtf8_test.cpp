#include "wtf8.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace dsh::todo {
namespace {

std::string utf8(char32_t c) {
  std::string text;
  append_code_point(text, c);
  return text;
}

// ECMAScript's WhiteSpace and LineTerminator, written down from the specification.
const std::set<char32_t> trimmed_characters = {
    0x09,   0x0A,   0x0B,   0x0C,   0x0D,   0x20,   0xA0,   0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004,
    0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF};

TEST(Trim, takes_off_exactly_the_spaces_of_javascript_for_every_code_unit) {
  for (char32_t c = 0; c <= 0xFFFF; ++c) {
    const std::string space = utf8(c);
    const bool trimmed = trimmed_characters.count(c) == 1;
    EXPECT_EQ(trim(space + "a" + space), trimmed ? "a" : space + "a" + space) << std::hex << +c;
    EXPECT_EQ(trim(space), trimmed ? "" : space) << std::hex << +c;
    EXPECT_EQ(trim("a" + space + "b"), "a" + space + "b") << std::hex << +c;
  }
}

TEST(Trim, knows_no_space_beyond_the_basic_plane) {
  for (const char32_t c : {0x10000U, 0x1D11EU, 0x1F600U, 0xE0020U, 0x10FFFFU})
    EXPECT_EQ(trim(utf8(c)), utf8(c)) << std::hex << +c;
}

TEST(Trim, takes_off_runs_of_mixed_spaces_and_stops_at_the_first_other_character) {
  std::string all;
  for (const char32_t c : trimmed_characters) all += utf8(c);
  EXPECT_EQ(trim(all + "x" + all + "y" + all), "x" + all + "y");
  EXPECT_EQ(trim(all), "");
  EXPECT_EQ(trim(""), "");
}

TEST(Trim, leaves_what_only_looks_like_space) {
  for (const char32_t c : {0x85U, 0x180EU, 0x200BU, 0x2060U, 0x0U, 0x1CU, 0x1FU, 0xD800U, 0xDFFFU})
    EXPECT_EQ(trim(utf8(c)), utf8(c)) << std::hex << +c;
}

TEST(CodePoints, every_one_is_written_and_read_back) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    const std::string text = "x" + utf8(c) + "y";
    const CodePoint read = decode(text, 1);
    if (read.value != c || read.size != text.size() - 2) FAIL() << std::hex << +c;
  }
}

TEST(Utf8, every_scalar_value_is_sound_and_every_surrogate_is_not) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    const bool surrogate = c >= 0xD800 && c <= 0xDFFF;
    if (find_invalid_utf8("ab" + utf8(c)) != (surrogate ? 2 : std::string_view::npos))
      FAIL() << std::hex << +c;
  }
}

TEST(Utf8, broken_sequences_are_found_where_they_start) {
  const std::string cases[] = {
      "\x80",              // a continuation without a start
      "\xBF",              //
      "\xC0\x80",          // overlong NUL
      "\xC1\xBF",          // overlong
      "\xC2",              // cut off
      "\xC2\x20",          // no continuation
      "\xE0\x80\x80",      // overlong
      "\xE0\x9F\xBF",      // overlong
      "\xE2\x82",          // cut off
      "\xE2\x82\x20",      // no continuation
      "\xED\xA0\x80",      // a surrogate
      "\xF0\x80\x80\x80",  // overlong
      "\xF0\x8F\xBF\xBF",  // overlong
      "\xF0\x9F\x98",      // cut off
      "\xF4\x90\x80\x80",  // beyond U+10FFFF
      "\xF5\x80\x80\x80",  //
      "\xFE",              //
      "\xFF",
  };
  for (const std::string &broken : cases) {
    EXPECT_EQ(find_invalid_utf8(broken), 0U);
    EXPECT_EQ(find_invalid_utf8("plain \xC3\xA9 " + broken), 9U);
    EXPECT_EQ(find_invalid_utf8("plain \xC3\xA9 " + broken + "tail"), 9U);
  }
  EXPECT_EQ(find_invalid_utf8(std::string_view("a\0b", 3)), std::string_view::npos);
}

}  // namespace
}  // namespace dsh::todo
