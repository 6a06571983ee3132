#include "config.hpp"

#include <gtest/gtest.h>

#include <string>

#include "json_value.hpp"
#include "refusal.hpp"
#include "support/small_stack.hpp"

namespace dsh::todo {
namespace {

std::string refusal_of(std::string_view config) {
  try {
    read_config(config);
  } catch (const Refusal &refusal) {
    return refusal.text();
  }
  return "accepted";
}

std::string of_flag(const std::string &detail) {
  return "invalid config:\n  - $.allowParallelInProgress " + detail + " (at allowParallelInProgress)";
}

std::string refusal_of_flag(const std::string &value) {
  return refusal_of(R"({"allowParallelInProgress":)" + value + "}");
}

TEST(Config, takes_either_boolean_and_ignores_unknown_keys) {
  EXPECT_TRUE(read_config(R"({"allowParallelInProgress":true})").allow_parallel_in_progress);
  EXPECT_FALSE(read_config(R"({"allowParallelInProgress":false})").allow_parallel_in_progress);
  EXPECT_TRUE(read_config(R"({"colour":"red","allowParallelInProgress":true,"__proto__":{"a":1}})")
                  .allow_parallel_in_progress);
}

TEST(Config, the_deepest_one_is_told_on_the_stack_of_any_thread) {
  const std::size_t depth = max_depth - 1;
  const std::string nested = std::string(depth, '[') + "1,[2,null]" + std::string(depth, ']');
  std::string told;
  test::on_stack(test::small_stack, [&] { told = refusal_of_flag(nested.substr(1, nested.size() - 2)); });
  EXPECT_EQ(told, of_flag("expected boolean but got 1,2,"));
}

TEST(Config, a_missing_flag_is_missing_whichever_way) {
  for (const char *config :
       {"null", "{}", R"({"allowParallelInProgress":null})", R"({"allowparallelinprogress":true})",
        R"({"allowParallelInProgress ":true})", R"({"__proto__":{"allowParallelInProgress":true}})",
        R"({"todo":{"allowParallelInProgress":true}})"})
    EXPECT_EQ(refusal_of(config), of_flag("missing required value")) << config;
}

TEST(Config, what_is_no_boolean_is_shown_as_string_shows_it) {
  const std::pair<const char *, const char *> cases[] = {
      {R"("no")", "no"},
      {R"("true")", "true"},
      {R"("")", ""},
      {"0", "0"},
      {"1", "1"},
      {"-0", "0"},
      {"1.50", "1.5"},
      {"1e21", "1e+21"},
      {"12345678901234567890", "12345678901234567000"},
      {R"(".inf")", "Infinity"},
      {R"("-.inf")", "-Infinity"},
      {R"(".nan")", "NaN"},
      {"[]", ""},
      {"[true]", "true"},
      {"[1,2]", "1,2"},
      {"[null]", ""},
      {R"([null,"a",[1,[2]],{"a":1},".nan"])", ",a,1,2,[object Object],NaN"},
      {"{}", "[object Object]"},
      {R"({"a":true})", "[object Object]"},
      {R"("caf\u00e9")", "caf\xC3\xA9"},
      {R"("\ud800")", "\xED\xA0\x80"},
  };
  for (const auto &[value, shown] : cases)
    EXPECT_EQ(refusal_of_flag(value), of_flag("expected boolean but got " + std::string(shown))) << value;
}

TEST(Config, what_is_no_mapping_is_shown_too) {
  const std::pair<const char *, const char *> cases[] = {{"[]", ""},
                                                         {"true", "true"},
                                                         {"false", "false"},
                                                         {R"("hello")", "hello"},
                                                         {"5", "5"},
                                                         {"0", "0"},
                                                         {R"([{"a":1}])", "[object Object]"},
                                                         {R"("")", ""},
                                                         {"[1,2]", "1,2"}};
  for (const auto &[value, shown] : cases)
    EXPECT_EQ(refusal_of(value), "invalid config:\n  - expected object but got " + std::string(shown))
        << value;
}

TEST(Config, a_text_that_is_no_json_is_refused) {
  EXPECT_EQ(refusal_of(""), "the config is not JSON");
  EXPECT_EQ(refusal_of("allowParallelInProgress: true"), "the config is not JSON");
  EXPECT_EQ(refusal_of("\"\xFF\""), "the config is not UTF-8 (byte 1)");
}

TEST(Config, its_schema_is_json_and_names_the_flag) {
  const Document schema(config_schema_text, "the schema");
  const auto *properties = member(schema.root(), "properties");
  ASSERT_NE(properties, nullptr);
  const auto *flag = member(*properties, "allowParallelInProgress");
  ASSERT_NE(flag, nullptr);
  EXPECT_EQ(text_of(member(*flag, "type")->get_string()), "boolean");
  EXPECT_EQ(text_of(member(schema.root(), "required")->get_array().at(0).get_string()),
            "allowParallelInProgress");
}

}  // namespace
}  // namespace dsh::todo
