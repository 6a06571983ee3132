#include "text/json_reader.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <random>
#include <string>
#include <vector>

#include "text/utf.hpp"

namespace dsh::loader {
namespace {

std::string walk(std::string_view text) {
  JsonReader reader(text);
  JsonString key;
  std::string_view value;
  std::string seen;
  while (reader.next_member(key) && reader.value(value))
    seen += key.decode() + "=" + std::string(value) + ";";
  return reader.finish() ? seen : std::string(reader.problem()) + " at " + std::to_string(reader.position());
}

TEST(JsonReader, hands_out_members_and_elements) {
  EXPECT_EQ(walk(R"( {"a" : [1, "x"] ,"b\u0063":{"d":2}, "a":null } )"), R"(a=[1, "x"];bc={"d":2};a=null;)");
  EXPECT_EQ(walk("{}"), "");
  EXPECT_EQ(walk("{ }\r"), "");
  EXPECT_EQ(json_member(R"({"a":1,"b":2,"\u0061":3})", "a"), "3");
  EXPECT_EQ(json_member(R"({"a":1})", "b"), "");
  EXPECT_EQ(json_member("[1]", "a"), "");

  JsonReader reader(R"([ 1 , [2] ,"]" ])");
  std::vector<std::string> seen;
  std::string_view value;
  while (reader.next_element() && reader.value(value)) seen.emplace_back(value);
  EXPECT_TRUE(reader.finish());
  EXPECT_EQ(seen, (std::vector<std::string>{"1", "[2]", "\"]\""}));
}

TEST(JsonReader, says_what_is_wrong_and_where) {
  EXPECT_EQ(walk(""), "ends where more is expected at 0");
  EXPECT_EQ(walk("[1]"), "not an object at 0");
  EXPECT_EQ(walk("null"), "not an object at 0");
  EXPECT_EQ(walk("{\"a\""), "expected : at 4");
  EXPECT_EQ(walk("{\"a\":1"), "ends where more is expected at 6");
  EXPECT_EQ(walk("{\"a\":1 \"b\":2}"), "expected , or } at 7");
  EXPECT_EQ(walk("{\"a\":1,}"), "expected a key in double quotes at 7");
  EXPECT_EQ(walk("{,}"), "expected a key in double quotes at 1");
  EXPECT_EQ(walk("{\"a\":1}{\"a\":1}"), "text after the value at 7");
  EXPECT_EQ(walk("{\"a\":[1,2}"), "expected , or ] at 9");
  EXPECT_EQ(walk("{\"a\":\"\xFF\"}"), "bytes that are not UTF-8 at 6");
  EXPECT_EQ(walk("{\"\\x\":1}"), "unknown escape at 2");
  EXPECT_EQ(walk(std::string(8, '\0')), "not an object at 0");
}

TEST(JsonReader, integers_are_those_that_a_double_holds) {
  EXPECT_EQ(integer_value("12"), 12);
  EXPECT_EQ(integer_value("-3"), -3);
  EXPECT_EQ(integer_value("1.2e1"), 12);
  EXPECT_EQ(integer_value("10.0"), 10);
  EXPECT_EQ(integer_value("9007199254740991"), 9007199254740991);
  for (const char *none :
       {"9007199254740992", "1e400", "-0", "-0.0", "1.5", "null", "\"1\"", "99999999999999999999", ""})
    EXPECT_EQ(integer_value(none), std::nullopt) << none;
}

TEST(JsonReader, a_string_is_utf8_or_refused_however_long_its_runs_are) {
  std::mt19937 random(11);
  const auto below = [&random](std::size_t bound) { return static_cast<std::size_t>(random()) % bound; };
  static const std::vector<std::string> pieces = {"\xE4\xBB\xBB",
                                                  "\xE4\xBB\xBB",
                                                  "\xEF\xBF\xBF",
                                                  "\xE1\x80\x80",
                                                  "\xE0\xA0\x80",
                                                  "\xE0\x9F\xBF",
                                                  "\xED\x9F\xBF",
                                                  "\xED\xA0\x80",
                                                  "\xC3\xA9",
                                                  "\xC1\xBF",
                                                  "\xF0\x9F\xA7\xAD",
                                                  "\xF4\x90\x80\x80",
                                                  "\xE4\xBB",
                                                  "\x80",
                                                  "x",
                                                  "\\n",
                                                  "\xF5\x80\x80\x80",
                                                  "abcdefghijklmnop"};
  std::size_t sound = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string inside;
    // Most of them sound: one bad piece at the most, somewhere.
    for (std::size_t left = 1 + below(12); left > 0; --left)
      inside += pieces[below(below(12) == 0 ? pieces.size() : 4)];
    const std::string text = '"' + inside + '"';
    JsonReader reader(text);
    std::string_view span;
    const bool read = reader.value(span);
    ASSERT_EQ(read, is_utf8(inside)) << text;
    sound += read ? 1 : 0;
  }
  EXPECT_GT(sound, 5000U);
  EXPECT_LT(sound, 19'000U);
}

TEST(JsonReader, a_run_of_characters_is_utf8_whatever_two_bytes_of_it_are) {
  const std::string run = "\xE4\xBB\xBB\xE5\x8A\xA1\xE5\x88\x97";
  for (std::size_t at = 0; at < run.size(); ++at) {
    for (int one = 0x80; one < 256; ++one) {
      for (int two = 0x80; two < 256; ++two) {
        std::string inside = run;
        inside[at] = static_cast<char>(one);
        if (at + 1 < run.size()) inside[at + 1] = static_cast<char>(two);
        const std::string text = '"' + inside + '"';
        JsonReader reader(text);
        std::string_view span;
        ASSERT_EQ(reader.value(span), is_utf8(inside)) << at << " " << one << " " << two;
      }
    }
  }
}

/// The size of the string at the start of `text`, with its quotes; 0 where it is none. Byte by byte.
std::size_t plain_string_size(std::string_view text) {
  for (std::size_t at = 1; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte == '"') return is_utf8(text.substr(0, at)) ? at + 1 : 0;
    if (byte < 0x20) return 0;
    if (byte != '\\') continue;
    if (++at == text.size()) return 0;
    if (text[at] == 'u') {
      for (int digit = 0; digit < 4; ++digit)
        if (++at == text.size() || std::isxdigit(static_cast<unsigned char>(text[at])) == 0) return 0;
    } else if (std::string_view("\"\\/bfnrt").find(text[at]) == std::string_view::npos) {
      return 0;
    }
  }
  return 0;
}

TEST(JsonReader, a_value_s_first_byte_tells_its_kind) {
  for (const char *number : {"0", "-1", "9e9"}) EXPECT_TRUE(is_json_number(number)) << number;
  for (const char *other : {"", "\"1\"", "[1]", "{}", "true", "null"})
    EXPECT_FALSE(is_json_number(other)) << other;
}

TEST(JsonReader, strings_full_of_escapes_end_where_a_plain_reader_ends_them) {
  std::mt19937 random(23);
  const auto below = [&random](std::size_t bound) { return static_cast<std::size_t>(random()) % bound; };
  static const std::vector<std::string> pieces = {
      "\\\\",         "\\\"", "\\n", "\\/", "plain text", "\\\\\\\\\\\\", "x",    "\\u00e9",
      "\xE4\xBB\xBB", "\\",   "\"",  "\t",  "\\x",        "\\u12g4",      "\xFF", std::string(1, '\0')};
  std::size_t whole = 0;
  for (int round = 0; round < 60'000; ++round) {
    std::string text = "\"" + std::string(below(70), 'a');
    // Most are sound up to their end.
    for (std::size_t left = below(60); left > 0; --left)
      text += pieces[below(below(60) == 0 ? pieces.size() : 9)];
    const std::size_t inside = text.size();
    text += "\"" + std::string(below(90), ' ');
    const std::size_t expected = plain_string_size(text);
    JsonReader reader(text);
    std::string_view span;
    ASSERT_EQ(reader.value(span), expected != 0) << text;
    if (expected == 0) continue;
    ASSERT_EQ(span.size(), expected) << text;
    whole += expected == inside + 1 ? 1 : 0;
  }
  EXPECT_GT(whole, 20'000U);
  EXPECT_LT(whole, 58'000U);
}

}  // namespace
}  // namespace dsh::loader
