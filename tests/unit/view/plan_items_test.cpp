#include "view/plan_items.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text/error.hpp"

namespace dsh::loader {
namespace {

using ::testing::IsEmpty;

TEST(ParsePlanItems, takes_lists_and_refuses_the_rest) {
  const auto items = parse_plan_items(
      R"({"x":1,"todos":[{"content":"a\ud800","status":"pending"},{"status":"odd","content":"b","id":1}]})");
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[0].content, "a\xED\xA0\x80");
  EXPECT_EQ(items[1].status, "odd");
  EXPECT_THAT(parse_plan_items(R"({"todos":[]})"), IsEmpty());
  for (const char *bad :
       {"null", "[]", "{}", R"({"todos":{}})", R"({"todos":["a"]})", R"({"todos":[{"content":"a"}]})",
        R"({"todos":[{"content":1,"status":"pending"}]})"})
    EXPECT_THROW(parse_plan_items(bad), Error) << bad;
}

TEST(ParsePlanItems, is_not_misled_by_what_lies_deeper_or_stands_twice) {
  const auto items = parse_plan_items(
      R"({"a":{"todos":1,"content":"x"},"todos":7,"todo\u0073":[{"content":"no","status":"x"},)"
      R"({"content":["content","y"],"x":{"content":"z","status":"z"},"content":"b","status":"c"}],"b":"todos"})");
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[1].content, "b");
  EXPECT_EQ(items[1].status, "c");
  EXPECT_THAT(parse_plan_items(R"({"todos":[1],"todos":[]})"), IsEmpty());
  for (const char *bad : {R"([{"todos":[]}])", R"({"a":{"todos":[]}})", R"({"todos":[],"todos":null})",
                          R"({"todos":[["a",{"content":"a","status":"b"}]]})",
                          R"({"todos":[{"content":"a","status":"b"},[{"content":"a"},"status"]]})",
                          R"({"todos":[{"content":"a","status":"b","status":[]}]})", R"("todos")"})
    EXPECT_THROW(parse_plan_items(bad), Error) << bad;
}

TEST(ParsePlanItems, says_what_is_wrong_with_the_first_bad_item) {
  const auto fault = [](std::string_view data) -> std::string {
    try {
      parse_plan_items(data);
      return "none";
    } catch (const Error &error) {
      return error.what();
    }
  };
  EXPECT_EQ(fault("{}"), "the plan in the log is no list");
  EXPECT_EQ(fault(R"({"todos":[{"content":"a","status":"b"},7,[{"content":1}]]})"), "item 2 is no object");
  EXPECT_EQ(fault(R"({"todos":[{"content":1,"status":2},7]})"), "item 1 has no text as its content");
  EXPECT_EQ(fault(R"({"todos":[{"content":"a"},{"status":"b"},{"content":"c","status":"d"}]})"),
            "item 1 has no text as its status");
  EXPECT_EQ(fault(R"({"todos":[7],"todos":[{"content":"a","status":"b"},[]]})"), "item 2 is no object");
  EXPECT_EQ(fault(R"({"todos":[7],"todos":[{"content":"a","status":"b"}]})"), "none");
}

}  // namespace
}  // namespace dsh::loader
