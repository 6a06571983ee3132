#include "text/json_text.hpp"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "support/switches.hpp"
#include "text/error.hpp"

namespace dsh::loader {
namespace {

using namespace std::string_literals;

std::string round_trip(std::string_view text) { return to_json(parse_json(text)); }

std::string nested(std::size_t depth, char open, char close) {
  return std::string(depth, open) + std::string(depth, close);
}

TEST(CheckJson, accepts_every_kind_of_value) {
  for (const char *text : {"null", "true", "false", "0", "-1", "1.5", "1e5", "1E+05", "0.1e-7", "\"\"", "[]",
                           "{}", " [ 1 , 2 ] ", "{\"a\":{\"b\":[null]}}", "\"\\ud800\"", "\"\\u0000\"",
                           "\"\xE6\xBC\xA2\xF0\x9F\xA7\xAD\x7f\"", "[[],{},[{}]]"})
    EXPECT_TRUE(check_json(text)) << text << ": " << check_json(text).fault;
}

TEST(CheckJson, refuses_what_is_not_json_and_says_where) {
  struct Case {
    std::string text;
    std::size_t offset;
  };
  const std::vector<Case> cases = {{"", 0},
                                   {"  ", 2},
                                   {"nul", 0},
                                   {"nulll", 4},
                                   {"+1", 0},
                                   {"01", 0},
                                   {"-", 0},
                                   {"-01", 1},
                                   {"1.", 2},
                                   {".5", 0},
                                   {"1e", 2},
                                   {"1e+", 3},
                                   {"'a'", 0},
                                   {"\"a", 2},
                                   {"\"a\nb\"", 2},
                                   {"\"\\x\"", 1},
                                   {"\"\\u12g4\"", 1},
                                   {"\"\\u12", 1},
                                   {"[1,]", 3},
                                   {"[1 2]", 3},
                                   {"[", 1},
                                   {"{\"a\"}", 4},
                                   {"{\"a\":1,}", 7},
                                   {"{a:1}", 1},
                                   {"{\"a\":1", 6},
                                   {"[1}", 2},
                                   {"{\"a\":1]", 6},
                                   {"1 2", 2},
                                   {"\xEF\xBB\xBF{}", 0},
                                   {"\xC2\xA0{}", 0},
                                   {"NaN", 0},
                                   {"Infinity", 0},
                                   {"[1],", 3},
                                   {"\"\t\"", 1},
                                   {"\"\0\""s, 1},
                                   {"\"\xED\xA0\x80\"", 1},  // a surrogate in raw bytes
                                   {"\"\xC0\x80\"", 1},
                                   {"\"\xFF\"", 1},
                                   {"\"\xF4\x90\x80\x80\"", 1},
                                   {"\"\xE6\xBC\"", 1},
                                   {"//\n1", 0}};
  for (const Case &one : cases) {
    const JsonCheck check = check_json(one.text);
    EXPECT_FALSE(check) << one.text;
    EXPECT_EQ(check.offset, one.offset) << one.text << ": " << (check.fault ? check.fault : "");
  }
}

TEST(CheckJson, finds_every_byte_that_a_string_cannot_hold_at_every_place) {
  // Strings are looked at eight bytes at a time: each place in the word, each byte.
  for (std::size_t place = 0; place < 24; ++place) {
    for (int byte = 0; byte < 256; ++byte) {
      std::string text = "\"" + std::string(24, 'x') + "\"";
      text[1 + place] = static_cast<char>(byte);
      const bool plain = byte >= 0x20 && byte < 0x80 && byte != '"' && byte != '\\';
      EXPECT_EQ(static_cast<bool>(check_json(text)), plain) << "byte " << byte << " at " << place;
    }
  }
}

TEST(CheckJson, bounds_the_depth_and_names_the_bound) {
  EXPECT_TRUE(check_json(nested(max_json_depth, '[', ']')));
  const JsonCheck check = check_json(nested(max_json_depth + 1, '[', ']'));
  ASSERT_FALSE(check);
  EXPECT_STREQ(check.fault, "nested deeper than 10000 levels");
  EXPECT_FALSE(check_json(std::string(10'000'000, '[')));
}

TEST(CheckJson, tells_mixed_nesting_apart) {
  std::string open;
  std::string close;
  std::mt19937 random(7);
  for (int i = 0; i < 5000; ++i) {
    const bool object = (random() & 1U) != 0;
    open += object ? "{\"k\":" : "[";
    close.insert(close.begin(), object ? '}' : ']');
  }
  EXPECT_TRUE(check_json(open + "1" + close));
  close[close.size() / 2] = close[close.size() / 2] == ']' ? '}' : ']';
  EXPECT_FALSE(check_json(open + "1" + close));
}

TEST(CheckJson, notices_whitespace_outside_strings_only) {
  EXPECT_FALSE(check_json(R"({"a b":"c d"})").spaced);
  for (const char *text : {"[1, 2]", " 1", "1 ", "{\"a\" :1}", "{\"a\": 1}", "[\n]", "{\t}", "[1\r]"})
    EXPECT_TRUE(check_json(text).spaced) << text;
}

TEST(CheckJson, finds_the_value_of_an_only_member) {
  struct Case {
    const char *text;
    const char *value;
  };
  for (const Case &one : std::vector<Case>{{R"({"a":1})", "1"},
                                           {R"({"a":[{"b":1,"c":2},{}]})", R"([{"b":1,"c":2},{}])"},
                                           {R"({"":{"a":1,"b":2}})", R"({"a":1,"b":2})"},
                                           {R"({"\"}{":"\"}"})", R"("\"}")"},
                                           {R"({"a\\":"\\"})", R"("\\")"},
                                           {R"({"a":1,"b":2})", ""},
                                           {R"({"a":1,"a":2})", ""},
                                           {R"({"a":{"b":1},"c":{}})", ""},
                                           {R"({})", ""},
                                           {R"([{"a":1}])", ""},
                                           {R"("a")", ""},
                                           {R"({"a": 1})", ""},
                                           {R"({"a":1} )", ""},
                                           {R"({"a":1)", ""},
                                           {R"({"a":1}})", ""},
                                           {R"({"a":[1]]})", ""},
                                           {"", ""}}) {
    std::string_view value = "before";
    const JsonCheck check = check_json(one.text, value);
    EXPECT_EQ(value, one.value) << one.text;
    EXPECT_STREQ(check.fault, check_json(one.text).fault) << one.text;
  }
}

TEST(CheckJson, goes_on_behind_a_known_object_as_if_it_had_read_it) {
  const std::vector<std::string> objects = {R"({"a":1})", R"({"todos":[{"a":"}\"{","b":[]}]})",
                                            R"({"a":{},"b":"]"})"};
  const std::vector<std::string> rests = {"}", R"(,"b":2})", R"(,"b":{"c":[1]}})", " }", "\n, \"b\" : 1}"};
  const std::uint32_t seed = test_seed();
  std::mt19937 random(seed);
  const std::string alphabet = "{}[],:\"\\ 01-.etn\x01\xC3u";
  int valid = 0;
  for (int round = 0; round < 30000; ++round) {
    const std::string known = objects[random() % objects.size()];
    std::string rest = rests[random() % rests.size()];
    for (std::size_t edits = random() % 3; edits > 0; --edits) {
      const std::size_t at = random() % (rest.size() + 1);
      if ((random() & 1U) != 0 && at < rest.size())
        rest.erase(at, 1);
      else
        rest.insert(at, 1, alphabet[random() % alphabet.size()]);
    }
    const std::string text = known.substr(0, known.size() - 1) + rest;
    const JsonCheck whole = check_json(text);
    const JsonCheck part = check_json_rest(text, known.size() - 1);
    ASSERT_STREQ(part.fault, whole.fault) << text << " (seed " << seed << ")";
    ASSERT_EQ(part.offset, whole.offset) << text << " (seed " << seed << ")";
    ASSERT_EQ(part.spaced, whole.spaced) << text << " (seed " << seed << ")";
    valid += whole ? 1 : 0;
  }
  EXPECT_GT(valid, 1000);
}

TEST(CheckJson, bounds_the_depth_behind_a_known_object_too) {
  const std::string known = R"({"a":1)";
  const auto text = [&](std::size_t depth) { return known + ",\"b\":" + nested(depth, '[', ']') + "}"; };
  EXPECT_TRUE(check_json_rest(text(max_json_depth - 1), known.size()));
  EXPECT_FALSE(check_json_rest(text(max_json_depth), known.size()));
}

TEST(LosslessJson, follows_the_numbers_that_javascript_keeps) {
  for (const char *text : {"-0", "-0.0", "-0e5", "-1e-400", "1e999", "-1e999", "[1,[-0]]", "{\"a\":1e400}",
                           "-0.000e-1", "1e309", "123456789e400"})
    EXPECT_FALSE(is_lossless_json(text)) << text;
  for (const char *text : {"0", "1e-400", "1e308", "-1", "-0.5", "0.0", "0e999", "5e-324", "-5e-324",
                           "12345678901234567890123", "{\"a\":\"-0\"}", "1.7976931348623157e308"})
    EXPECT_TRUE(is_lossless_json(text)) << text;
  EXPECT_FALSE(is_lossless_json("1" + std::string(400, '0')));
  EXPECT_TRUE(is_lossless_json("0." + std::string(400, '0') + "1"));
  EXPECT_FALSE(is_lossless_json("-0." + std::string(400, '0') + "1"));
  EXPECT_FALSE(is_lossless_json("1e99999999999999999999"));
  EXPECT_TRUE(is_lossless_json("1e-99999999999999999999"));
}

TEST(LosslessJson, lets_a_later_duplicate_rescue_a_bad_number) {
  EXPECT_TRUE(is_lossless_json(R"({"a":-0,"a":1})"));
  EXPECT_FALSE(is_lossless_json(R"({"a":1,"a":-0})"));
  EXPECT_TRUE(is_lossless_json(R"({"a":[1e999],"\u0061":1})"));
}

TEST(CompactJson, drops_whitespace_and_nothing_else) {
  EXPECT_EQ(compact_json(" { \"a b\" : [ 1.0 ,\t\"x\\\" y\" ,\n\"\\\\\" , -0e0 ] } "),
            R"({"a b":[1.0,"x\" y","\\",-0e0]})");
}

TEST(ParseJson, keeps_lone_surrogates_as_their_escapes) {
  EXPECT_EQ(round_trip(R"("\ud800")"), R"("\ud800")");
  EXPECT_EQ(round_trip(R"("a\udfffb")"), R"("a\udfffb")");
  EXPECT_EQ(round_trip(R"("\ude00\ud83d")"), R"("\ude00\ud83d")");
  EXPECT_EQ(round_trip(R"("\uD83D\uDE00")"), "\"\xF0\x9F\x98\x80\"");
  EXPECT_EQ(round_trip(R"("\ud83d\ud83d\ude00")"), "\"\\ud83d\xF0\x9F\x98\x80\"");
  EXPECT_EQ(round_trip(R"({"\udc00":1})"), R"({"\udc00":1})");
  EXPECT_EQ(parse_json(R"("\ud800")").as_string(), "\xED\xA0\x80");
}

TEST(ParseJson, lets_the_last_duplicate_win_at_the_firsts_place) {
  EXPECT_EQ(round_trip(R"({"a":1,"b":2,"a":3})"), R"({"a":3,"b":2})");
  std::string many = "{";
  for (int i = 0; i < 200; ++i) many += "\"k" + std::to_string(i % 50) + "\":" + std::to_string(i) + ",";
  many.back() = '}';
  const boost::json::value parsed = parse_json(many);
  ASSERT_EQ(parsed.as_object().size(), 50U);
  EXPECT_EQ(parsed.as_object().begin()->key(), "k0");
  EXPECT_EQ(parsed.as_object().begin()->value(), 150);
}

TEST(ParseJson, says_what_is_wrong_and_where) {
  try {
    parse_json("{\"a\":}");
    FAIL();
  } catch (const Error &error) {
    EXPECT_STREQ(error.what(), "not JSON: expected a value at byte 5");
  }
}

TEST(ParseJson, deep_texts_are_safe_on_a_threads_stack) {
  const std::string deep = nested(max_json_depth, '[', ']');
  const std::string deep_objects = [] {
    std::string text;
    for (std::size_t i = 0; i < max_json_depth; ++i) text += "{\"a\":";
    return text + "-0" + std::string(max_json_depth, '}');
  }();
  std::thread([&] {
    EXPECT_EQ(round_trip(deep), deep);
    EXPECT_FALSE(is_lossless_json(deep_objects));
  }).join();
}

TEST(ParseJson, reads_doubles_exactly) {
  // Seventeen digits that a parser which multiplies by powers of ten gets wrong in the last bit.
  for (const char *text : {"0.1", "1e+21", "5e-324", "1.7976931348623157e+308", "9007199254740993.0",
                           "0.30000000000000004", "123456789012345680", "2.2250738585072014e-308"}) {
    const double exact = std::strtod(text, nullptr);
    const boost::json::value parsed = parse_json(text);
    EXPECT_EQ(parsed.is_double() ? parsed.as_double() : static_cast<double>(parsed.as_int64()), exact)
        << text;
  }
}

TEST(JsonString, escapes_as_json_stringify_does) {
  EXPECT_EQ(json_string("\"\\\b\f\n\r\t/"), R"("\"\\\b\f\n\r\t/")");
  EXPECT_EQ(json_string("\x01\x1f\0"s), "\"\\u0001\\u001f\\u0000\"");
  EXPECT_EQ(json_string("\x7f\xC2\x85\xE2\x80\xA8"), "\"\x7f\xC2\x85\xE2\x80\xA8\"");
  EXPECT_EQ(json_string("\xED\xA0\xBD"), "\"\\ud83d\"");
  EXPECT_EQ(json_string("\xED\xA0\xBD\xED\xB8\x80"), "\"\xF0\x9F\x98\x80\"") << "halves joined byte by byte";
  EXPECT_EQ(json_string("a\xFF"
                        "b\xE6\xBC"),
            "\"a\xEF\xBF\xBD"
            "b\xEF\xBF\xBD\"");
}

TEST(JsonString, reads_back_to_the_same_bytes_whatever_they_are) {
  const std::uint32_t seed = test_seed();
  std::mt19937 random(seed);
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (std::size_t i = random() % 40; i > 0; --i) text += static_cast<char>(random() % 256);
    const std::string json = json_string(text);
    ASSERT_TRUE(check_json(json)) << "seed " << seed;
    ASSERT_EQ(round_trip(json), json) << "seed " << seed;
  }
}

TEST(JsonNumber, prints_as_javascript_does) {
  struct Case {
    double number;
    const char *text;
  };
  for (const Case &one : std::vector<Case>{{0, "0"},
                                           {-0.0, "0"},
                                           {1, "1"},
                                           {-1.5, "-1.5"},
                                           {0.1, "0.1"},
                                           {1e21, "1e+21"},
                                           {1e20, "100000000000000000000"},
                                           {123456789012345680000.0, "123456789012345680000"},
                                           {12345678901234567890.0, "12345678901234567000"},
                                           {1e-6, "0.000001"},
                                           {1e-7, "1e-7"},
                                           {1.5e-7, "1.5e-7"},
                                           {5e-324, "5e-324"},
                                           {1.7976931348623157e308, "1.7976931348623157e+308"},
                                           {123.456, "123.456"},
                                           {1e300 * 1e10, "null"}})
    EXPECT_EQ(json_number(one.number), one.text);
}

// The scanner against Boost.JSON, over texts that are nearly JSON.
TEST(CheckJson, agrees_with_another_parser_on_mutated_texts) {
  const std::vector<std::string> seeds = {
      R"({"todos":[{"content":"a","status":"pending"},{"content":"漢字 \u00e9\n","status":"completed"}]})",
      R"([1,-2.5e+10,{"a":null,"b":[true,false]},"x\\\"y"])", R"({"a":{"b":{"c":[[],[{}]]}}})"};
  const std::uint32_t seed = test_seed();
  std::mt19937 random(seed);
  const std::string alphabet = "{}[],:\"\\ \n0123456789-+.eEtruefalsn\x01\x80\xC3\xE6u";
  int valid = 0;
  for (int round = 0; round < 60000; ++round) {
    std::string text = seeds[random() % seeds.size()];
    for (std::size_t edits = random() % 3; edits > 0; --edits) {
      const std::size_t at = random() % text.size();
      const char c = alphabet[random() % alphabet.size()];
      switch (random() % 3) {
        case 0:
          text[at] = c;
          break;
        case 1:
          text.insert(at, 1, c);
          break;
        default:
          text.erase(at, 1);
      }
    }
    boost::json::error_code code;
    boost::json::parse(text, code);
    if (code == boost::json::error::illegal_leading_surrogate ||
        code == boost::json::error::illegal_trailing_surrogate ||
        code == boost::json::error::expected_utf16_escape)
      continue;  // legal here
    valid += code ? 0 : 1;
    ASSERT_EQ(static_cast<bool>(check_json(text)), !code) << text << " (seed " << seed << ")";
  }
  EXPECT_GT(valid, 1000);
}

TEST(StrictJsonText, spells_lone_surrogates_as_escapes) {
  const std::string high = "\xED\xA0\xBD";
  const std::string low = "\xED\xB8\x80";
  EXPECT_EQ(strict_json_text("[\"" + high + "\"]"), R"(["\ud83d"])");
  EXPECT_EQ(strict_json_text(high + low), R"(\ud83d\ude00)");
  EXPECT_EQ(strict_json_text("\"\\\\" + low + "\""), R"("\\\ude00")");
  EXPECT_EQ(strict_json_text("\xED\x9F\xBF\xEE\x80\x80"), "\xED\x9F\xBF\xEE\x80\x80");
  EXPECT_EQ(strict_json_text("plain"), "plain");
  EXPECT_EQ(strict_json_text(""), "");
}

TEST(StrictJsonText, makes_no_escape_of_a_backslash_and_a_surrogate) {
  const std::string text = strict_json_text("\"\\\xED\xA0\x80\"");
  EXPECT_EQ(text, "\"\\\xEF\xBF\xBD\"");
  EXPECT_FALSE(check_json(text));
}

}  // namespace
}  // namespace dsh::loader
