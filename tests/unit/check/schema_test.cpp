#include "check/schema.hpp"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "check/generator.hpp"
#include "text/error.hpp"
#include "text/json_text.hpp"

namespace dsh::loader::check {
namespace {

constexpr const char *list =
    R"({"type":"object","additionalProperties":false,"required":["items"],"properties":{"items":{"type":"array",)"
    R"("items":{"oneOf":[{"type":"string"},{"type":"object","properties":{"kind":{"enum":["a","b"]},"n":{"const":7}},)"
    R"("required":["kind"]}]}},"note":{"type":["string","null"],"description":"any"}}})";

std::string refusal(const char *text) {
  try {
    const Schema schema(text);
  } catch (const Error &error) {
    return error.what();
  }
  return {};
}

TEST(Schema, tells_what_keeps_it_from_what_does_not) {
  const Schema schema(list);
  for (const char *good : {R"({"items":[]})", R"({"items":["x",{"kind":"a"}],"note":null})",
                           R"({"items":[{"kind":"b","n":7}]})"})
    EXPECT_EQ(schema.fault(std::string_view(good)), std::nullopt) << good;
  for (const char *bad :
       {"[]", "{}", R"({"items":{}})", R"({"items":[1]})", R"({"items":[{"kind":"c"}]})",
        R"({"items":[{"kind":"a","n":8}]})", R"({"items":[],"more":1})", R"({"items":[],"note":1})", "{", ""})
    EXPECT_NE(schema.fault(std::string_view(bad)), std::nullopt) << bad;
}

TEST(Schema, refuses_what_is_not_in_the_dialect_and_says_where) {
  EXPECT_NE(refusal("{"), "");
  EXPECT_NE(refusal("[]").find("no object"), std::string::npos);
  EXPECT_NE(refusal(R"({"type":"text"})").find("$.type"), std::string::npos);
  EXPECT_NE(refusal(R"({"properties":{"a":{"pattern":"x"}}})").find("$.properties.a"), std::string::npos);
  EXPECT_NE(refusal(R"({"items":{"minItems":1}})").find("minItems"), std::string::npos);
  EXPECT_NE(refusal(R"({"required":["a",1]})"), "");
  EXPECT_NE(refusal(R"({"oneOf":[]})"), "");
  EXPECT_NE(refusal(R"({"additionalProperties":1})"), "");
  EXPECT_EQ(refusal(list), "");
}

TEST(Generator, gives_the_same_for_the_same_seed) {
  const Schema schema(list);
  Generator one(42), same(42), other(43);
  bool differs = false;
  for (int i = 0; i < 50; ++i) {
    const std::string made = one.instance(schema, false);
    EXPECT_EQ(made, same.instance(schema, false));
    differs = differs || made != other.instance(schema, false);
  }
  EXPECT_TRUE(differs);
}

TEST(Generator, keeps_a_schema_and_breaks_it) {
  const Schema schema(list);
  Generator random(7);
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(schema.fault(std::string_view(random.instance(schema, i % 2 == 0))), std::nullopt);
    const auto broken = random.violation(schema);
    ASSERT_TRUE(broken);
    EXPECT_NE(schema.fault(std::string_view(*broken)), std::nullopt) << *broken;
  }
}

TEST(Generator, finds_no_violation_of_a_schema_that_admits_everything) {
  Generator random(7);
  EXPECT_EQ(random.violation(Schema("{}")), std::nullopt);
}

TEST(Generator, makes_json_and_mutations_of_it) {
  Generator random(7);
  bool changed = false;
  for (int i = 0; i < 300; ++i) {
    const std::string json = random.any_json();
    EXPECT_TRUE(check_json(json)) << json;
    const std::string mutated = random.mutation(json);
    EXPECT_TRUE(check_json(mutated)) << mutated;
    changed = changed || mutated != json;
  }
  EXPECT_TRUE(changed);
  EXPECT_TRUE(check_json(nested_json(1000)));
}

}  // namespace
}  // namespace dsh::loader::check
