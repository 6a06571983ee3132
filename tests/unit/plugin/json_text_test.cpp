#include "json_text.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>

#include "json_value.hpp"
#include "wtf8.hpp"

namespace dsh::todo {
namespace {

std::string quote(std::string_view text) {
  std::string out;
  append_quoted(out, text);
  return out;
}

std::string print(double value) {
  std::string out;
  append_number(out, value);
  return out;
}

std::string utf8(char32_t c) {
  std::string text;
  append_code_point(text, c);
  return text;
}

/// What the inside of a JSON string stands for.
std::string unescaped(std::string_view raw) {
  const Document string("\"" + std::string(raw) + "\"", "the string");
  return std::string(text_of(string.root().get_string()));
}

/// What JSON.stringify writes for one code unit, from the specification's table.
std::string stringified(char32_t c) {
  switch (c) {
    case '"':
      return "\\\"";
    case '\\':
      return "\\\\";
    case '\b':
      return "\\b";
    case '\f':
      return "\\f";
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    default:
      break;
  }
  if (c >= 0x20 && (c < 0xD800 || c > 0xDFFF)) return utf8(c);
  char escape[8];
  std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(c));
  return escape;
}

TEST(Quoting, every_code_unit_is_written_as_json_stringify_does) {
  for (char32_t c = 0; c <= 0xFFFF; ++c) {
    ASSERT_EQ(quote(utf8(c)), "\"" + stringified(c) + "\"") << std::hex << +c;
    ASSERT_EQ(quote("a" + utf8(c) + "b"), "\"a" + stringified(c) + "b\"") << std::hex << +c;
  }
}

TEST(Quoting, pairs_stay_raw_and_lone_surrogates_become_escapes) {
  EXPECT_EQ(quote(utf8(0x1F600)), "\"\xF0\x9F\x98\x80\"");
  EXPECT_EQ(quote(utf8(0xDC00) + utf8(0xD800)), "\"\\udc00\\ud800\"");
  EXPECT_EQ(quote(utf8(0xD83D) + utf8(0x1F600)), "\"\\ud83d\xF0\x9F\x98\x80\"");
  EXPECT_EQ(quote(utf8(0xD7FF) + utf8(0xE000)), "\"\xED\x9F\xBF\xEE\x80\x80\"");
}

TEST(Quoting, random_texts_match_the_table_unit_by_unit) {
  std::mt19937 random(20260101);
  std::uniform_int_distribution<char32_t> unit(0, 0xFFFF);
  std::uniform_int_distribution<int> length(0, 40);
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    std::string expected = "\"";
    for (int i = length(random); i > 0; --i) {
      const char32_t c = i % 3 == 0 ? unit(random) : unit(random) % 0x80;
      text += utf8(c);
      expected += stringified(c);
    }
    ASSERT_EQ(quote(text), expected + "\"");
  }
}

TEST(UnicodeEscapes, every_code_unit_is_read_and_its_spelling_judged) {
  for (char32_t c = 0; c <= 0xFFFF; ++c) {
    for (const char *format : {"\\u%04x", "\\u%04X"}) {
      char text[8];
      std::snprintf(text, sizeof text, format, static_cast<unsigned>(c));
      const auto escape = read_unicode_escape("ab" + std::string(text) + "cd", 2);
      ASSERT_TRUE(escape) << text;
      ASSERT_EQ(escape.value, c) << text;
      ASSERT_EQ(escape.size, 6U) << text;
      ASSERT_EQ(escape.canonical, quote(utf8(c)) == "\"" + std::string(text) + "\"") << text;
    }
  }
}

TEST(UnicodeEscapes, two_halves_make_a_character_and_anything_else_is_none) {
  const auto pair = read_unicode_escape("\\ud83d\\uDE00", 0);
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair.value, 0x1F600U);
  EXPECT_EQ(pair.size, 12U);
  EXPECT_FALSE(pair.canonical);
  for (const char *text : {"\\ud83d", "\\ud83d\\ud83d", "\\ud83d\\u00e9", "\\ud83dx", "\\ude00\\ud83d"})
    EXPECT_EQ(read_unicode_escape(text, 0).size, 6U) << text;
  for (const char *text : {"", "\\", "\\u", "\\u12", "\\u123", "\\u12G4", "\\U0041", "u0041", "\\n0041"})
    EXPECT_FALSE(read_unicode_escape(text, 0)) << text;
}

TEST(TrimmingEscapes, is_trimming_what_they_stand_for) {
  const std::string pieces[] = {"a",       "t",       "u0020",   " ",           "\xE3\x80\x80",
                                "\\t",     "\\n",     "\\\"",    "\\\\",        "\\/",
                                "\\b",     "\\u0020", "\\u3000", "\\u0041",     "\\u2028",
                                "\\ud800", "\\udc00", "\\u00A0", "\xEF\xBB\xBF"};
  const std::size_t count = std::size(pieces);
  for (std::size_t number = 0; number < count * count * count * count; ++number) {
    std::string raw;
    for (std::size_t rest = number; rest > 0; rest /= count) raw += pieces[rest % count];
    ASSERT_EQ(unescaped(trim_escaped(raw)), trim(unescaped(raw))) << raw;
  }
}

TEST(Respelling, is_quoting_what_was_unescaped) {
  std::mt19937 random(20260104);
  const std::string pieces[] = {"a",       "\\n",     "\\/",     "\\\"",    "\\\\",     "\\u0041",
                                "\\u000a", "\\u000b", "\\u001F", "\\ud800", "\\uDC00",  "\\ud83d\\ude00",
                                "\\u0022", "\\u005c", "\\u002f", "\\u2028", "\xC3\xA9", " ",
                                "/"};
  for (int round = 0; round < 5000; ++round) {
    std::string raw;
    for (auto i = random() % 8; i > 0; --i) raw += pieces[random() % std::size(pieces)];
    std::string respelt(raw.size(), '\0');
    respelt.resize(static_cast<std::size_t>(put_respelt(respelt.data(), raw) - respelt.data()));
    ASSERT_EQ("\"" + respelt + "\"", quote(unescaped(raw))) << raw;
    std::string joined;
    RespeltRuns runs(raw);
    for (std::string_view run; runs.next(run);) joined += run;
    ASSERT_EQ(joined, respelt) << raw;
  }
}

struct Spelling {
  double value;
  const char *text;
};

// Each line as a JavaScript engine prints it.
TEST(Numbers, are_printed_as_javascript_prints_them) {
  const Spelling cases[] = {
      {0.0, "0"},
      {-0.0, "0"},
      {1, "1"},
      {-1, "-1"},
      {1.5, "1.5"},
      {0.1, "0.1"},
      {0.2 + 0.1, "0.30000000000000004"},
      {4.35, "4.35"},
      {0.5, "0.5"},
      {100, "100"},
      {123456789, "123456789"},
      {9007199254740991, "9007199254740991"},
      {9007199254740993.0, "9007199254740992"},
      {12345678901234567890.0, "12345678901234567000"},
      {100000000000000000000.0, "100000000000000000000"},
      {123456789012345680000.0, "123456789012345680000"},
      {999999999999999900000.0, "999999999999999900000"},
      {1e21, "1e+21"},
      {1.5e21, "1.5e+21"},
      {123456789012345678901234.0, "1.2345678901234569e+23"},
      {0.000001, "0.000001"},
      {0.0000015, "0.0000015"},
      {0.0000001, "1e-7"},
      {0.00000012, "1.2e-7"},
      {1e-10, "1e-10"},
      {5e-324, "5e-324"},
      {2.2250738585072014e-308, "2.2250738585072014e-308"},
      {2.225073858507201e-308, "2.225073858507201e-308"},
      {1.7976931348623157e308, "1.7976931348623157e+308"},
      {9.5e-7, "9.5e-7"},
      {1.0000000000000002, "1.0000000000000002"},
      {0.9999999999999999, "0.9999999999999999"},
      {5e-7, "5e-7"},
      {2e-6, "0.000002"},
      {2251799813685248.5, "2251799813685248.5"},
      {9007199254740994, "9007199254740994"},
      {1e23, "1e+23"},
      {8.41e21, "8.41e+21"},
      {2.9802322387695312e-8, "2.9802322387695312e-8"},
      {4.4501477170144023e-308, "4.4501477170144023e-308"},
      {9.5367431640625e-7, "9.5367431640625e-7"},
      {-12.75, "-12.75"},
      {-1e-7, "-1e-7"},
      {-1e21, "-1e+21"},
      {std::numeric_limits<double>::infinity(), "Infinity"},
      {-std::numeric_limits<double>::infinity(), "-Infinity"},
      {std::numeric_limits<double>::quiet_NaN(), "NaN"},
  };
  for (const Spelling &spelling : cases) EXPECT_EQ(print(spelling.value), spelling.text);
}

TEST(Numbers, every_power_of_ten_has_its_place) {
  for (int power = 0; power <= 20; ++power)
    EXPECT_EQ(print(std::strtod(("1e" + std::to_string(power)).c_str(), nullptr)),
              "1" + std::string(static_cast<std::size_t>(power), '0'));
  for (int power = 1; power <= 6; ++power)
    EXPECT_EQ(print(std::strtod(("1e-" + std::to_string(power)).c_str(), nullptr)),
              "0." + std::string(static_cast<std::size_t>(power - 1), '0') + "1");
  for (int power = 21; power <= 308; ++power) {
    const std::string text = "1e+" + std::to_string(power);
    EXPECT_EQ(print(std::strtod(text.c_str(), nullptr)), text);
  }
  for (int power = 7; power <= 323; ++power) {
    const std::string text = "1e-" + std::to_string(power);
    EXPECT_EQ(print(std::strtod(text.c_str(), nullptr)), text);
  }
}

TEST(Numbers, what_is_printed_reads_back_and_no_shorter_text_does) {
  std::mt19937_64 random(20260102);
  for (int round = 0; round < 20000; ++round) {
    const auto value = std::bit_cast<double>(random());
    if (!std::isfinite(value)) continue;
    const std::string text = print(value);
    ASSERT_EQ(read_number(text), value) << text;
    ASSERT_EQ(std::strtod(text.c_str(), nullptr), value) << text;
    // One digit less than the shortest never reads back.
    std::size_t digits = 0;
    for (const char c : text.substr(0, text.find('e'))) digits += c >= '0' && c <= '9' ? 1 : 0;
    if (text.find('e') == std::string::npos || digits < 2) continue;
    char shorter[40];
    std::snprintf(shorter, sizeof shorter, "%.*e", static_cast<int>(digits) - 2, value);
    ASSERT_NE(std::strtod(shorter, nullptr), value) << text;
  }
}

TEST(Numbers, texts_are_read_as_the_nearest_double) {
  EXPECT_EQ(read_number("1.0"), 1.0);
  EXPECT_EQ(read_number("12345678901234567890"), 12345678901234567890.0);
  EXPECT_EQ(read_number("123456789012345678901234"), 1.2345678901234569e23);
  EXPECT_EQ(read_number("9007199254740993"), 9007199254740992.0);
  EXPECT_EQ(read_number("2.2250738585072011e-308"), 2.2250738585072011e-308);
  EXPECT_EQ(read_number("0.1e1"), 1.0);
  EXPECT_EQ(read_number("1E+2"), 100.0);
  EXPECT_EQ(read_number("4.9406564584124654e-324"), 5e-324);
  EXPECT_EQ(read_number("1.7976931348623157e308"), std::numeric_limits<double>::max());
}

TEST(Numbers, too_large_is_infinite_and_too_small_is_zero_with_its_sign) {
  const std::string zeros(400, '0');
  for (const std::string &text :
       {std::string("1e999"), std::string("1.8e308"), "1" + zeros, "1" + zeros + ".5",
        std::string("0.001e99999999999999999999"), "0." + zeros + "1e999"}) {
    EXPECT_EQ(read_number(text), std::numeric_limits<double>::infinity()) << text;
    EXPECT_EQ(read_number("-" + text), -std::numeric_limits<double>::infinity()) << text;
  }
  for (const std::string &text : {std::string("1e-400"), "0." + zeros + "1", std::string("2e-324"),
                                  std::string("0e99999999999999999999"), std::string("0.0"), std::string("0"),
                                  std::string("1000e-99999999999999999999"), "1" + zeros + "e-999"}) {
    EXPECT_EQ(read_number(text), 0.0) << text;
    EXPECT_FALSE(std::signbit(read_number(text))) << text;
    EXPECT_TRUE(std::signbit(read_number("-" + text))) << text;
  }
}

}  // namespace
}  // namespace dsh::todo
