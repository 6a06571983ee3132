#include "composition/yaml_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <cmath>
#include <ostream>
#include <string>
#include <string_view>

#include "support/small_stack.hpp"
#include "text/error.hpp"
#include "text/json_text.hpp"

namespace dsh::loader {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// `text` as JSON, or what is wrong with it.
std::string read(std::string_view text, const YamlBounds &bounds = {}) {
  try {
    return to_json(read_yaml(text, "f.yaml", bounds));
  } catch (const Error &error) {
    return error.what();
  }
}

struct Case {
  const char *name;
  std::string text;
  std::string result;
};

std::ostream &operator<<(std::ostream &out, const Case &example) { return out << example.name; }

const auto name_of = [](const auto &example) { return std::string(example.param.name); };

class Accepted : public testing::TestWithParam<Case> {};

TEST_P(Accepted, text_is_read_as) { EXPECT_EQ(read(GetParam().text), GetParam().result); }

INSTANTIATE_TEST_SUITE_P(
    Yaml, Accepted,
    testing::Values(
        Case{"nothing", "", "null"}, Case{"comments", "# a\n  # b\n", "null"},
        Case{"block_list", "- a\n- b\n", R"(["a","b"])"},
        Case{"block_mapping", "a: 1\nb:\n  c: x\n", R"({"a":1,"b":{"c":"x"}})"},
        Case{"flow", "{a: [1, 'x', \"y\"], b: {}, c}", R"({"a":[1,"x","y"],"b":{},"c":null})"},
        Case{"json", R"({"a":[true,null,-1.5e3],"b":"x"})", R"({"a":[true,null,-1500],"b":"x"})"},
        Case{"list_at_the_indent_of_its_key", "a:\n- b\nc: d\n", R"({"a":["b"],"c":"d"})"},
        Case{"brackets_over_lines", "- a: {\n    b: 1\n  }\n", R"([{"a":{"b":1}}])"},
        Case{"folded_and_literal", "- >-\n  a\n  b\n- |\n  a\n   b\n", R"(["a b","a\n b\n"])"},
        Case{"kept_line_ends",
             "- >+\n  a\n\n\n- >+\n  b\n- |+\n  c\n\n- a: >+ # d\n    e\n     f\n\n  g: h\n- >+\n  i\n\n",
             R"(["a\n\n\n","b\n","c\n\n",{"a":"e\n f\n\n","g":"h"},"i\n\n"])"},
        Case{"plain_over_lines", "- a\n  b\n", R"(["a b"])"},
        Case{"explicit_keys", "? a\n: b\n? c\n", R"({"a":"b","c":null})"},
        Case{"words_that_are_no_booleans", "[yes, no, on, off, y, n]", R"(["yes","no","on","off","y","n"])"},
        Case{"quoted_booleans", "['true', \"false\"]", R"(["true","false"])"},
        Case{"booleans", "[true, True, TRUE, false]", "[true,true,true,false]"},
        Case{"nulls", "[~, null, Null, NULL, nULL]", R"([null,null,null,null,"nULL"])"},
        Case{"numbers", "[0x1F, 0o17, 0b11, 1e3, 1_000, 0123, 1:30, -0, 1e400]",
             R"([31,15,3,1000,"1_000",123,"1:30",0,"1e400"])"},
        Case{"dates_stay_texts", "[2020-01-01, 2001-12-14t21:59:43.10-05:00]",
             R"(["2020-01-01","2001-12-14t21:59:43.10-05:00"])"},
        Case{"no_merge_key", "- &a {x: 1}\n- <<: *a\n  y: 2\n", R"([{"x":1},{"<<":{"x":1},"y":2}])"},
        Case{"proto_is_a_key", "__proto__: {a: 1}\nconstructor: 2\n",
             R"({"__proto__":{"a":1},"constructor":2})"},
        Case{
            "keys_as_javascript_spells_them",
            "{1.0: a, 0x10: b, true: c, ~: d, 1e21: e, .inf: f, -.inf: g, .nan: h, -0: i}",
            R"({"1":"a","16":"b","true":"c","null":"d","1e+21":"e","Infinity":"f","-Infinity":"g","NaN":"h","0":"i"})"},
        Case{"keys_that_are_lists_or_mappings", "? [a, ~, 1]\n: x\n? {a: b}\n: y\n",
             R"({"a,,1":"x","[object Object]":"y"})"},
        Case{"tags_of_the_schema",
             "[!!str 1, !!int '7', !!float 1, !!bool \"TRUE\", !!null ~, !!seq [], !!map {}]",
             R"(["1",7,1,true,null,[],{}])"},
        Case{"tags_of_nothing", "- !!str\n- !!null\n- !!seq\n- !!map\n- !\n", R"(["",null,[],{},null])"},
        Case{"nothing_before_an_empty_key", "a: !!null\n'': b\n", R"({"a":null,"":"b"})"},
        Case{"exclamation_mark_makes_a_text", "[! true, ! 1, ! [1]]", R"(["true","1",[1]])"},
        Case{"verbatim_tag", "!<tag:yaml.org,2002:str> 1", R"("1")"},
        Case{"declared_tag", "%TAG !y! tag:yaml.org,2002:\n---\n!y!str 1\n", R"("1")"},
        Case{"aliases", "- &a {k: [1]}\n- *a\n- &b x\n- *b\n", R"([{"k":[1]},{"k":[1]},"x","x"])"},
        Case{"an_anchor_may_move", "- &a 1\n- &a 2\n- *a\n", "[1,2,2]"},
        Case{"byte_order_mark", "\xEF\xBB\xBF- a\n", R"(["a"])"},
        Case{"crlf", "- a\r\n- b:\r\n    c\r\n", R"(["a",{"b":"c"}])"},
        Case{"lone_cr", "- a\r- b\r", R"(["a","b"])"}, Case{"no_line_end", "- a", R"(["a"])"},
        Case{"document_marks", "%YAML 1.2\n---\n- a\n...\n# end\n", R"(["a"])"},
        Case{"other_directives_are_ignored", "%FOO bar\n---\n- a\n", R"(["a"])"},
        Case{"blank_lines_with_tabs", "\t\n- a\n\t \n- b\n\t", R"(["a","b"])"},
        Case{"tabs_before_a_comment", "- a\n\t# c\n- |\n b\n\t# c\n- \"c\n\t# d\"\n",
             R"(["a","b\n","c # d"])"},
        Case{"tab_before_a_value", "a:\tb\t\n", R"({"a":"b"})"},
        Case{"escapes", R"("\0\a\b\t\n\v\f\r\e\ \"\/\\\N\_\L\P\x41\u00e9\U0001F600")",
             "\"\\u0000\\u0007\\b\\t\\n\\u000b\\f\\r\\u001b \\\"/\\\\\xC2\x85\xC2\xA0\xE2\x80\xA8\xE2\x80\xA9"
             "A\xC3\xA9\xF0\x9F\x98\x80\""},
        Case{"lone_surrogates", R"(["\ud800", "\uDFFFx", "\ude00\ud83d"])",
             R"(["\ud800","\udfffx","\ude00\ud83d"])"},
        Case{"pairs_of_surrogates", R"(["\ud83d\ude00", "\uD83D\uDE00\ud83d"])",
             "[\"\xF0\x9F\x98\x80\",\"\xF0\x9F\x98\x80\\ud83d\"]"},
        Case{"surrogate_escapes_outside_double_quotes",
             "- '\\ud800'\n- \\uDAbc\n- |\n  \\ud800\n- \"\\\\ud800\"\n- \"\\\\\\ud800\"\n",
             R"(["\\ud800","\\uDAbc","\\ud800\n","\\ud800","\\\ud800"])"},
        Case{"surrogates_beside_their_disguises", R"(["\ud83d", "\ue83d", "\ua83d", "\ub83d"])",
             "[\"\\ud83d\",\"\xEE\xA0\xBD\",\"\xEA\xA0\xBD\",\"\xEB\xA0\xBD\"]"},
        Case{"a_surrogate_as_key", R"("\ud800": 1)", R"({"\ud800":1})"},
        Case{"question_marks_within_brackets",
             "{u: http://x/?a=b&c, q: what?, 'r?': \"\\x0e?\", l: [a?b, a ? b]}",
             R"({"u":"http://x/?a=b&c","q":"what?","r?":"\u000e?","l":["a?b","a ? b"]})"},
        Case{"quotes_within_words", "- a'b\"c\n- it''s\n- 'it''s'\n", R"(["a'b\"c","it''s","it's"])"},
        Case{"unprintable_within_quotes", "\"a\x7F\"", "\"a\x7F\""},
        Case{"zero_width_space_is_text", "true\xE2\x80\x8B", "\"true\xE2\x80\x8B\""},
        Case{"hash_within_a_word", "a#b: c # d\n", R"({"a#b":"c"})"}),
    name_of);

class Refused : public testing::TestWithParam<Case> {};

TEST_P(Refused, text_is_refused_at) {
  const auto text = read(GetParam().text);
  EXPECT_THAT(text, StartsWith("f.yaml:" + GetParam().result));
  EXPECT_EQ(text.find_first_of("\n\033"), std::string::npos) << text;
}

INSTANTIATE_TEST_SUITE_P(
    Yaml, Refused,
    testing::Values(
        Case{"nul", std::string("- a\n- b\0\n", 9), "2:4: the control character U+0000"},
        Case{"escape_character", "- \033[31m\n", "1:3: the control character U+001B"},
        Case{"control_in_quotes", "- \"\x01\"\n", "1:4: the control character U+0001"},
        Case{"delete_in_plain_text", "- a\n- a\x7F\n", "2:3: a control character"},
        Case{"bad_utf8", "- \xC3\xA9\xFF\n", "1:4: a byte that is not UTF-8"},
        Case{"surrogate_bytes", "- \xED\xA0\x80\n", "1:3: the control character U+D800"},
        Case{"duplicate_key", "a: 1\nb: 2\na: 1\n", "3:1: the key \"a\" stands twice"},
        Case{"duplicate_flow_key", "{\xC3\xA9: 1, a: 1, a: 1}\n", "1:14: the key \"a\" stands twice"},
        Case{"duplicate_key_by_spelling", "{1: a, 0x1: b}\n", "1:8: the key \"1\" stands twice"},
        Case{"second_document", "- a\n---\n- b\n", "2:1: a second document"},
        Case{"empty_second_document", "- a\n---\n", "2:1: a second document"},
        Case{"text_after_the_document", "- a\n...\nb\n", "3:1: a second document"},
        Case{"unknown_tag", "- !!js 1\n", "1:3: unknown tag !<tag:yaml.org,2002:js>"},
        Case{"unknown_local_tag", "- !x {}\n", "1:3: unknown tag !<!x>"},
        Case{"tag_outside_the_schema", "- !!binary aGk=\n", "1:3: unknown tag"},
        Case{"timestamp_tag", "- !!timestamp 2001-01-01\n", "1:3: unknown tag"},
        Case{"tag_of_another_kind", "- !!str [a]\n", "1:3: unknown tag !<tag:yaml.org,2002:str> of a list"},
        Case{"bool_yes", "- !!bool yes\n", "1:3: \"yes\" is no !!bool"},
        Case{"bool_1", "- !!bool 1\n", "1:3: \"1\" is no !!bool"},
        Case{"bool_nothing", "- !!bool\n", "1:3: \"\" is no !!bool"},
        Case{"null_empty_quotes", "- !!null \"\"\n", "1:3: \"\" is no !!null"},
        Case{"null_block", "a: !!null |\n", "1:4: \"\" is no !!null"},
        Case{"int_fraction", "- !!int 1.5\n", "1:3: \"1.5\" is no !!int"},
        Case{"tag_without_space", "- !!bool\"TRUE\"\n", "1:3: a tag needs white space"},
        Case{"undeclared_tag_handle", "- !e!x a\n", "1:3: unknown tag"},
        Case{"unknown_alias", "- *a\n", "1:3: "},
        Case{"alias_of_what_holds_it", "- &a [*a]\n", "1:7: an alias inside"},
        Case{"alias_before_its_anchor", "- *a\n- &a b\n", "1:3: "},
        Case{"unclosed_double_quote", "- \"a\n", "1:3: a quote that is never closed"},
        Case{"unclosed_single_quote", "- a: 'b\n- c\n", "1:6: a quote that is never closed"},
        Case{"escaped_closing_quote", "- \"a\\\"\n", "1:3: a quote that is never closed"},
        Case{"unknown_escape", "- \"\\q\"\n", "1:6: unknown escape"},
        Case{"escaped_single_quote", "- \"it\\'s\"\n", "1:6: \\' is no escape"},
        Case{"text_after_a_quote", "- 'a' b\n", "1:"}, Case{"unclosed_bracket", "- [a\n", ""},
        Case{"unclosed_brace", "a: {b: c\n", ""}, Case{"crossed_brackets", "- [a}\n", "1:"},
        Case{"stray_bracket", "]\n", "1:"}, Case{"two_values", "a: 'b': c\n", "1:"},
        Case{"key_without_colon", "a: b\nc\n", "2:1: a key needs a colon"},
        Case{"value_without_key", "a: b\n: c\n", "2:1: no key stands before this colon"},
        Case{"nothing_before_a_comma", "[a, , b]\n", "1:5: nothing stands before this comma"},
        Case{"missing_comma", "{a: : b}\n", "1:5: a comma is missing"},
        Case{"value_at_the_indent_of_its_key", "a:\n\"b\"\n", "2:1: a value must be indented further"},
        Case{"list_value_not_indented", "- a:\n  [b]\n", "2:3: a value must be indented further"},
        Case{"tab_indents_a_value", "a:\n  b:\n\t  c\n", "3:1: a tab can't indent"},
        Case{"tab_indents_a_key", "a:\n\tb: c\n", "2:"}, Case{"tab_indents_a_list", "\t- a\n", "1:"},
        Case{"wrong_indent", "a: 1\n  b: 2\n", "2:"}, Case{"list_in_a_value", "a: - b\n", "1:4: "},
        Case{"lone_percent", "%\n- a\n", "1:2: a directive needs a name"},
        Case{"directive_without_document", "%YAML 1.2\n- a\n", "2:1: a line --- must follow"},
        Case{"directive_alone", "%YAML 1.2\n", "2:1: a line --- must follow"},
        Case{"percent_after_the_start", "- a\n%b\n", "2:1: a % can't begin a line here"},
        Case{"yaml_2", "%YAML 2.0\n---\n- a\n", "1:1: expected %YAML 1.2"},
        Case{"yaml_twice", "%YAML 1.2\n%YAML 1.2\n---\n", "2:1: expected %YAML 1.2"},
        Case{"block_header", "a: |x\n b\n", "1:5: "},
        Case{"list_in_a_list_as_key", "? [[a]]\n: b\n", "1:3: a list within a list"}),
    name_of);

TEST(Yaml, non_finite_numbers_are_numbers) {
  const auto value = read_yaml("[.inf, -.inf, .nan, '.inf']", "f");
  const auto &list = value.as_array();
  EXPECT_EQ(list[0].as_double(), HUGE_VAL);
  EXPECT_EQ(list[1].as_double(), -HUGE_VAL);
  EXPECT_TRUE(std::isnan(list[2].as_double()));
  EXPECT_EQ(list[3].as_string(), ".inf");
}

TEST(Yaml, lines_and_columns_are_those_of_an_editor) {
  EXPECT_THAT(read("\xEF\xBB\xBF- \xF0\x9F\x98\x80\r\n- x: '\xC3\xA9\xC3\xA9': y\r\n"),
              StartsWith("f.yaml:2:10: "));
  EXPECT_THAT(read("- a\r\r- *b\r"), StartsWith("f.yaml:3:3: "));
}

TEST(YamlBounds, a_large_text_is_refused) {
  const auto text = "- " + std::string(YamlBounds{}.bytes, 'x');
  EXPECT_THAT(read(text), HasSubstr("more than 1048576 bytes"));
}

TEST(YamlBounds, depth_is_bounded_before_the_stack_is) {
  const std::size_t depth = YamlBounds{}.depth;
  EXPECT_EQ(read(std::string(depth, '[') + std::string(depth, ']')),
            std::string(depth, '[') + std::string(depth, ']'));
  for (const std::string_view open : {"[", "{a: ", "- ", "? ", "[{", "{? "}) {
    std::string text;
    for (std::size_t i = 0; i <= depth; ++i) text += open;
    EXPECT_THAT(read(text), HasSubstr("more than 200 lists and mappings within each other")) << open;
  }
  std::string indented;
  for (std::size_t i = 0; i <= depth; ++i) indented += std::string(i, ' ') + "a:\n";
  EXPECT_THAT(read(indented + std::string(depth + 1, ' ') + "b"), HasSubstr("more than 200"));
}

std::string read_on_small_stack(const std::string &text) {
  std::string result;
  test::on_stack(test::small_stack, [&] { result = read(text); });
  return result;
}

TEST(YamlBounds, the_greatest_depth_fits_on_a_small_stack) {
  const std::size_t depth = YamlBounds{}.depth;
  const auto nested = std::string(depth, '[') + std::string(depth, ']');
  EXPECT_EQ(read_on_small_stack(nested), nested);
  EXPECT_THAT(read_on_small_stack('[' + nested + ']'), HasSubstr("more than 200"));
}

TEST(YamlBounds, aliases_make_no_bomb) {
  std::string text = "- &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 30; ++i) {
    const auto before = " *a" + std::to_string(i - 1);
    text += "- &a" + std::to_string(i) + " [";
    for (int k = 0; k < 10; ++k) text += (k == 0 ? "" : ",") + before;
    text += " ]\n";
  }
  EXPECT_THAT(read(text), HasSubstr("bytes once aliases are replaced"));
}

TEST(YamlBounds, anchors_within_each_other_make_no_bomb) {
  std::string text;
  for (int i = 0; i < 150; ++i) text += "&a" + std::to_string(i) + " [";
  text += '"' + std::string(900'000, 'x') + '"' + std::string(150, ']');
  EXPECT_THAT(read(text), HasSubstr("bytes once aliases are replaced"));
}

TEST(YamlBounds, the_bounds_given_count) {
  EXPECT_EQ(read("[a]", {.bytes = 3}), R"(["a"])");
  EXPECT_THAT(read("[ab]", {.bytes = 3}), HasSubstr("more than 3 bytes"));
  EXPECT_THAT(read("[[a]]", {.depth = 1}), HasSubstr("1:2: more than 1 lists"));
}

TEST(YamlBounds, a_large_flat_text_is_read) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "- {name: plugin-" + std::to_string(i) + "}\n";
  EXPECT_EQ(read_yaml(text, "f").as_array().size(), 20'000U);
}

}  // namespace
}  // namespace dsh::loader
