#include "text/json_slices.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dsh::loader {

bool operator==(const JsonMember &one, const JsonMember &other) {
  return one.key == other.key && one.value == other.value;
}

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(JsonMembers, keep_the_spelling_of_every_value) {
  EXPECT_THAT(
      json_members(R"( { "a" : 1.50 , "b":"\ud800,}" ,"c" : [1, {"d":"]"} ] , "e":{ } , "f":-0,"g":null} )"),
      ElementsAre(JsonMember{"\"a\"", "1.50"}, JsonMember{"\"b\"", R"("\ud800,}")"},
                  JsonMember{"\"c\"", R"([1, {"d":"]"} ])"}, JsonMember{"\"e\"", "{ }"},
                  JsonMember{"\"f\"", "-0"}, JsonMember{"\"g\"", "null"}));
}

TEST(JsonMembers, list_duplicates_each) {
  EXPECT_THAT(json_members(R"({"a":1,"\u0061":2})"),
              ElementsAre(JsonMember{"\"a\"", "1"}, JsonMember{R"("\u0061")", "2"}));
}

TEST(JsonMembers, see_through_escaped_quotes_and_backslashes) {
  EXPECT_THAT(json_members(R"({"a\"b":"\\","c":"\\\"}"})"),
              ElementsAre(JsonMember{R"("a\"b")", R"("\\")"}, JsonMember{"\"c\"", R"("\\\"}")"}));
}

TEST(JsonMembers, of_anything_else_are_none) {
  EXPECT_THAT(json_members("{}"), IsEmpty());
  EXPECT_THAT(json_members(" { } "), IsEmpty());
  EXPECT_THAT(json_members("[1]"), IsEmpty());
  EXPECT_THAT(json_members(""), IsEmpty());
}

TEST(JsonMembers, end_with_the_text_where_it_is_no_json) {
  for (const char *broken :
       {"{\"a", "{\"a\\", "{\"a\"", "{\"a\":", "{\"a\":[", "{\"a\":\"", "{\"a\":{\"b\":[1,", "{\"a\" 1"})
    EXPECT_LE(json_members(broken).size(), 1U) << broken;
}

std::vector<std::string_view> elements_of(std::string_view text) {
  std::vector<std::string_view> elements;
  each_element(text, [&](std::string_view element) { elements.push_back(element); });
  return elements;
}

TEST(EachElement, keeps_the_spelling_of_every_value) {
  EXPECT_THAT(elements_of(R"( [ 1e2 , "a,]" ,[ ], {"b":[2]},true ] )"),
              ElementsAre("1e2", R"("a,]")", "[ ]", R"({"b":[2]})", "true"));
  EXPECT_THAT(elements_of("[]"), IsEmpty());
  EXPECT_THAT(elements_of("{}"), IsEmpty());
}

TEST(EachElement, ends_with_the_text_where_it_is_no_json) {
  for (const char *broken : {"[", "[1", "[1,", "[\"", "[[", "[}", "[1}"})
    EXPECT_LE(elements_of(broken).size(), 3U) << broken;
}

}  // namespace
}  // namespace dsh::loader
