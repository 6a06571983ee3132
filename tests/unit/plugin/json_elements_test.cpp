#include "json_elements.hpp"

#include <gtest/gtest.h>

#include <string>

#include "json_value.hpp"
#include "refusal.hpp"

namespace dsh::todo {
namespace {

/// The elements, each as JSON.stringify writes it, with a bar behind it; "none" where there is no array.
std::string elements(const JsonElements &array) {
  if (!array.is_array()) return "none";
  std::string texts;
  array.each([&](const boost::json::value &element) {
    append_json(texts, element);
    texts += '|';
    return true;
  });
  return texts;
}

std::string of_root(std::string_view text) { return elements(JsonElements(text, "the text")); }
std::string of_member(std::string_view text) { return elements(JsonElements(text, "the text", "list")); }

TEST(JsonElements, are_those_of_the_text) {
  EXPECT_EQ(of_root("[]"), "");
  EXPECT_EQ(of_root(R"( [ 1.0, "a\u0041", null, true, [ 2, [] ], {"b":{},"b":[3]}, -0 ] )"),
            R"(1|"aA"|null|true|[2,[]]|{"b":[3]}|0|)");
  for (const char *text : {"{}", "null", "1", "\"[]\"", R"({"list":[1]})"}) EXPECT_EQ(of_root(text), "none");
}

TEST(JsonElements, are_those_of_a_member_the_last_of_its_name) {
  EXPECT_EQ(of_member(R"({"list":[]})"), "");
  EXPECT_EQ(of_member(R"({"a":[1],"list":[2,[3],{"list":[4]}],"b":{"list":[5],"c":[6]}})"),
            R"(2|[3]|{"list":[4]}|)");
  EXPECT_EQ(of_member(R"({"list":[1],"l\u0069st":[2],"lists":[3],"lis":[4],"":[5]})"), "2|");
  EXPECT_EQ(of_member(R"({"list":0,"list":[1]})"), "1|");
  for (const char *text : {"{}", "null", "[]", R"(["list",[1]])", R"([{"list":[1]}])", R"({"list":"[1]"})",
                           R"({"list":[1],"list":{"list":[2]}})", R"({"list":[1],"list":null})",
                           R"({"list":[1],"list":"te\nxt"})", R"({"a":{"list":[1]}})"})
    EXPECT_EQ(of_member(text), "none") << text;
}

TEST(JsonElements, can_be_read_again_and_inside_one_another) {
  const JsonElements array("[1,2,3]", "the text");
  std::string seen;
  array.each([&](const boost::json::value &element) {
    append_json(seen, element);
    array.each([&](const boost::json::value &inner) {
      append_json(seen, inner);
      return inner.get_double() < 2;  // and no more of it
    });
    return true;
  });
  EXPECT_EQ(seen, "112212312");
}

TEST(JsonElements, a_text_that_is_no_json_is_refused_whole) {
  EXPECT_THROW(of_root("[1,2"), NotJson);
  EXPECT_THROW(of_member(R"({"list":[1]}])"), NotJson);
  EXPECT_THROW(of_root("[\"\xFF\"]"), Refusal);
}

TEST(JsonElements, what_each_throws_comes_out) {
  const JsonElements array("[1,[2],3]", "the text");
  EXPECT_THROW(array.each([](const boost::json::value &) -> bool { throw Refusal("enough"); }), Refusal);
  EXPECT_EQ(elements(array), "1|[2]|3|");
}

}  // namespace
}  // namespace dsh::todo
