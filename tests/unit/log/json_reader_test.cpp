#include "log/json_reader.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

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
       {"9007199254740992", "1e400", "-0", "-0.0", "1.5", "null", "\"1\"", "99999999999999999999", ""}) {
    EXPECT_EQ(integer_value(none), std::nullopt) << none;
  }
}

}  // namespace
}  // namespace dsh::loader
