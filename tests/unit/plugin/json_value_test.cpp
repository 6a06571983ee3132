#include "json_value.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/small_stack.hpp"

namespace dsh::todo {
namespace {

using testing::HasSubstr;

/// JSON.stringify(JSON.parse(text)).
std::string rewritten(std::string_view text) {
  const Document document(text, "the text");
  std::string out;
  append_json(out, document.root());
  return out;
}

std::string refusal_of(std::string_view text) {
  try {
    const Document document(text, "the text");
  } catch (const Refusal &refusal) {
    return refusal.text();
  }
  return "accepted";
}

bool lossless(std::string_view text) { return is_lossless(Document(text, "the text").root()); }

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

TEST(Rewriting, drops_space_and_respells_numbers_and_strings) {
  EXPECT_EQ(rewritten(" { \"a\" : [ 1.0 , 1e2, -0, 12345678901234567890, true, null ] }\n"),
            R"({"a":[1,100,0,12345678901234567000,true,null]})");
  EXPECT_EQ(rewritten(R"("\u0041\/\u00e9\u2028\u0007\t")"), "\"A/\xC3\xA9\xE2\x80\xA8\\u0007\\t\"");
  EXPECT_EQ(rewritten("1e999"), "null");
  EXPECT_EQ(rewritten("-1e999"), "null");
  EXPECT_EQ(rewritten("1e-400"), "0");
}

TEST(Rewriting, reads_17_digit_numbers_exactly) {
  EXPECT_EQ(rewritten("[0.30000000000000004,1.2345678901234567,123456789012345678901234,9007199254740993]"),
            "[0.30000000000000004,1.2345678901234567,1.2345678901234569e+23,9007199254740992]");
}

TEST(Rewriting, exponents_beyond_an_int_are_numbers_all_the_same) {
  EXPECT_EQ(rewritten("[1e-99999999999999999999,0e99999999999999999999,1e0000000000000000000002]"),
            "[0,0,100]");
  EXPECT_FALSE(lossless("1e99999999999999999999"));
  EXPECT_FALSE(lossless("-1e-99999999999999999999"));
  EXPECT_TRUE(lossless("1E-99999999999999999999"));
  EXPECT_EQ(rewritten(R"("1e99999999999999999999")"), R"("1e99999999999999999999")");
  EXPECT_EQ(refusal_of("1e99999999999999999999x"), "the text is not JSON");
}

TEST(Rewriting, lone_surrogates_survive_and_pairs_become_characters) {
  EXPECT_EQ(rewritten(R"("\ud800")"), R"("\ud800")");
  EXPECT_EQ(rewritten(R"("\uDFFF")"), R"("\udfff")");
  EXPECT_EQ(rewritten(R"("\ud83d\ude00")"), "\"\xF0\x9F\x98\x80\"");
  EXPECT_EQ(rewritten(R"("\ude00\ud83d")"), R"("\ude00\ud83d")");
  EXPECT_EQ(rewritten(R"("\ud83d\ud83d\ude00\ude00")"), "\"\\ud83d\xF0\x9F\x98\x80\\ude00\"");
  EXPECT_EQ(rewritten(R"("\ud83d\n\ude00")"), R"("\ud83d\n\ude00")");
  EXPECT_EQ(rewritten(R"({"\ud800":"\\ud800"})"), R"({"\ud800":"\\ud800"})");
}

TEST(Rewriting, of_duplicate_keys_the_last_value_stands_at_the_first_position) {
  EXPECT_EQ(rewritten(R"({"a":1,"b":2,"a":{"c":3},"d":4,"\u0062":5})"), R"({"a":{"c":3},"b":5,"d":4})");
  EXPECT_EQ(rewritten(R"({"\ud800":1,"a":2,"\uD800":3})"), R"({"\ud800":3,"a":2})");
  std::string many = "{";
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 100; ++i) many += "\"k" + std::to_string(i) + "\":" + std::to_string(round) + ",";
  std::string expected = "{";
  for (int i = 0; i < 100; ++i) expected += "\"k" + std::to_string(i) + "\":1,";
  many.back() = expected.back() = '}';
  EXPECT_EQ(rewritten(many), expected);
}

TEST(Rewriting, integer_like_keys_come_first_in_ascending_order) {
  EXPECT_EQ(rewritten(R"({"b":1,"10":2,"a":3,"2":4,"0":5,"01":6,"-1":7,"1.0":8,"":9})"),
            R"({"0":5,"2":4,"10":2,"b":1,"a":3,"01":6,"-1":7,"1.0":8,"":9})");
  // 2^32 - 2 is the last array index; what is larger is a name like any other.
  EXPECT_EQ(rewritten(R"({"z":0,"4294967296":1,"4294967295":2,"4294967294":3,"9999999999":4,"00":5})"),
            R"({"4294967294":3,"z":0,"4294967296":1,"4294967295":2,"9999999999":4,"00":5})");
}

TEST(Parsing, refuses_what_is_not_json) {
  for (const char *text : {"",
                           " ",
                           "\xEF\xBB\xBF{}",
                           "{}\xC2\xA0",
                           "{",
                           "}",
                           "[1,]",
                           "{\"a\":1,}",
                           "{a:1}",
                           "'a'",
                           "01",
                           "1.",
                           ".5",
                           "+1",
                           "1e",
                           "0x1",
                           "--1",
                           "-",
                           "NaN",
                           "Infinity",
                           "tru",
                           "nul",
                           "True",
                           "\"a",
                           "\"\n\"",
                           "\"\t\"",
                           "\"\\x\"",
                           "\"\\u12\"",
                           "\"\\u12G4\"",
                           "\"\\ud800\\u12\"",
                           "\"\\U0041\"",
                           "\"\\u{41}\"",
                           "{} {}",
                           "[] 1",
                           "// a\n{}",
                           "/* a */{}",
                           "{\"a\" 1}",
                           "{\"a\":1 \"b\":2}",
                           "[1 2]",
                           "\v{}",
                           "{}\f",
                           "{\"a\"}",
                           "{1:2}",
                           "\"\\\""})
    EXPECT_EQ(refusal_of(text), "the text is not JSON") << text;
  EXPECT_EQ(refusal_of(std::string_view("\"a\0b\"", 5)), "the text is not JSON");
  EXPECT_EQ(refusal_of(std::string_view("{}\0", 3)), "the text is not JSON");
}

TEST(Parsing, refuses_bytes_that_are_no_utf8_and_says_where) {
  EXPECT_EQ(refusal_of("{\"a\":\"\xFF\"}"), "the text is not UTF-8 (byte 6)");
  EXPECT_EQ(refusal_of("\"\xED\xA0\x80\""), "the text is not UTF-8 (byte 1)");
}

TEST(Parsing, takes_the_control_characters_that_json_allows) {
  EXPECT_EQ(rewritten("\"\x7F\xC2\x85\xE2\x80\xA9\""), "\"\x7F\xC2\x85\xE2\x80\xA9\"");
  EXPECT_EQ(rewritten(R"("\u0000")"), R"("\u0000")");
  EXPECT_EQ(rewritten("\t\r\n []"), "[]");
}

TEST(Rewriting, what_is_respelt_may_stand_anywhere_in_a_long_text) {
  const std::string far = std::string(30, '9');
  std::string text = "[" + std::string(R"("\ud800",1e)") + far;
  std::string expected = R"(["\ud800",null)";
  for (int i = 0; i < 2000; ++i) {
    const std::string content(static_cast<std::size_t>(i * 37 % 211), 'x');
    text += ",\"" + content + R"(\uDBFF\",\udc00",1.5e+)" + far + ",-1E-" + far +
            R"( , {"\uD800":"\ud83d\ude00"})";
    expected += ",\"" + content + R"(\udbff\",\udc00",null,0,{"\ud800":")" + "\xF0\x9F\x98\x80\"}";
  }
  const std::string plain(200000, 'y');
  text += ",\"" + plain + "\\ud800" + plain + "\"]";
  expected += ",\"" + plain + "\\ud800" + plain + "\"]";
  EXPECT_EQ(rewritten(text), expected);
  EXPECT_EQ(refusal_of(text + "x"), "the text is not JSON");
  EXPECT_EQ(refusal_of(text.substr(0, text.size() - 1)), "the text is not JSON");
  EXPECT_EQ(refusal_of(R"({} "\ud800")"), "the text is not JSON");
  EXPECT_EQ(refusal_of(R"("\ud800)"), "the text is not JSON");
  EXPECT_EQ(refusal_of("[1e" + far), "the text is not JSON");
}

TEST(Depth, the_bound_itself_passes_and_one_more_is_refused_with_both_numbers) {
  EXPECT_EQ(rewritten(nested(max_depth)), nested(max_depth));
  EXPECT_TRUE(lossless(nested(max_depth)));
  EXPECT_EQ(refusal_of(nested(max_depth + 1)), "the text nests 5001 levels deep, the bound is 5000");
  EXPECT_EQ(refusal_of("{\"decoy\":\"[[[{{{\\\"[[\",\"a\":" + nested(100000) + "}"),
            "the text nests 100001 levels deep, the bound is 5000");
}

TEST(Depth, the_bound_fits_the_stack_of_any_thread) {
  std::string objects;
  for (std::size_t i = 0; i < max_depth; ++i) objects += "{\"a\":";
  objects += "1" + std::string(max_depth, '}');
  for (const std::string &text : {nested(max_depth), objects})
    test::on_stack(test::small_stack, [&] {
      EXPECT_EQ(rewritten(text), text);
      EXPECT_TRUE(lossless(text));
    });
}

TEST(Depth, what_the_parser_is_given_in_pieces_fits_it_too) {
  std::string text = std::string(max_depth, '[') + R"("")";
  for (int i = 0; i < 40000; ++i) text += R"(,"\ud800")";
  text += std::string(max_depth, ']');
  test::on_stack(test::small_stack, [&] { EXPECT_EQ(rewritten(text), text); });
}

TEST(Depth, looking_for_lossy_numbers_takes_no_stack_for_a_level) {
  const Document document(nested(max_depth), "the text");
  bool found_none = false;
  test::on_stack(test::small_stack / 8, [&] { found_none = is_lossless(document.root()); });
  EXPECT_TRUE(found_none);
}

TEST(Depth, brackets_in_strings_do_not_count) {
  const std::string text = "\"" + std::string(100000, '[') + "\"";
  EXPECT_EQ(rewritten(text), text);
}

TEST(Lossless, minus_zero_and_numbers_out_of_range_are_found_at_any_depth) {
  for (const char *text :
       {"-0", "-0.0", "-0e5", "-1e-400", "1e999", "-1e999", "[[-0]]", "{\"a\":{\"b\":[1e400]}}"})
    EXPECT_FALSE(lossless(text)) << text;
  for (const char *text : {"0", "0.0", "1e-400", "1e308", "\"-0\"", "[1,2,-3]", "{\"-0\":0}", "true", "null"})
    EXPECT_TRUE(lossless(text)) << text;
}

TEST(Lossless, a_later_duplicate_rescues_and_a_later_duplicate_spoils) {
  EXPECT_TRUE(lossless(R"({"a":-0,"a":1})"));
  EXPECT_TRUE(lossless(R"({"a":{"x":[1e999]},"\u0061":1})"));
  EXPECT_FALSE(lossless(R"({"a":1,"a":-0})"));
}

}  // namespace
}  // namespace dsh::todo
