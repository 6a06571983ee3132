#include "view/plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "text/json_text.hpp"

namespace dsh::loader {
namespace {

using testing::HasSubstr;

Plan plan_of(std::string_view json) { return read_plan(boost::json::parse(json)); }

TEST(Plan, absent_and_empty_are_two_things) {
  EXPECT_FALSE(plan_of("null").items.has_value());
  EXPECT_EQ(plan_of("null").problem, "");
  EXPECT_TRUE(plan_of("[]").items.has_value());
  EXPECT_TRUE(plan_of("[]").items->empty());
}

TEST(Plan, items_keep_their_order) {
  const Plan plan = plan_of(R"([{"content":"a","status":"completed"},{"content":"b","status":"in_progress"},
                                {"content":"c","status":"pending"}])");
  EXPECT_EQ(plan.problem, "");
  EXPECT_EQ(*plan.items, (ShownItems{{"a", Status::completed, "completed"},
                                     {"b", Status::in_progress, "in_progress"},
                                     {"c", Status::pending, "pending"}}));
}

TEST(Plan, a_row_with_an_unknown_status_is_kept) {
  const Plan plan =
      plan_of(R"([{"content":"a","status":"cancelled"},{"content":"b","status":7},{"content":"c"}])");
  EXPECT_EQ(
      *plan.items,
      (ShownItems{{"a", Status::other, "cancelled"}, {"b", Status::other, "7"}, {"c", Status::other, ""}}));
  EXPECT_EQ(plan.problem, "item 1 has the unknown status \"cancelled\"");
  EXPECT_EQ(count(*plan.items).other, 3U);
  EXPECT_EQ(plan_of(R"([{"content":"b","status":7}])").problem, "item 1 has no text as its status");
  EXPECT_EQ(plan_of(R"([{"content":"b"}])").problem, "item 1 has no text as its status");
}

TEST(Plan, what_is_no_item_is_shown_as_it_is) {
  const Plan plan = plan_of(R"(["text",{"status":"pending"},{"content":[1],"status":"pending"},null])");
  ASSERT_EQ(plan.items->size(), 4U);
  EXPECT_EQ((*plan.items)[0].content, "text");
  EXPECT_EQ((*plan.items)[1].content, R"({"status":"pending"})");
  EXPECT_EQ((*plan.items)[2].content, "[1]");
  EXPECT_EQ((*plan.items)[3].content, "null");
  EXPECT_EQ(plan.problem, "item 1 is no object");
}

TEST(Plan, what_is_no_text_is_shown_as_json_is_written_everywhere_else) {
  const Plan plan = read_plan(parse_json(R"([{"content":0.5,"status":1e21},{"content":["\ud800"]}])"));
  EXPECT_EQ((*plan.items)[0].content, "0.5");
  EXPECT_EQ((*plan.items)[0].status_text, "1e+21");
  EXPECT_EQ((*plan.items)[1].content, R"(["\ud800"])");
}

TEST(Plan, what_is_no_list_is_a_problem_and_no_plan) {
  for (const std::string_view json : {"{}", "7", "\"[]\"", "true"}) {
    const Plan plan = plan_of(json);
    EXPECT_FALSE(plan.items.has_value());
    EXPECT_THAT(plan.problem, HasSubstr("no list"));
  }
}

TEST(Plan, the_summary_leaves_zero_counts_out) {
  EXPECT_EQ(summary({1, 2, 1, 0}, " · "), "1 completed · 2 in progress · 1 pending");
  EXPECT_EQ(summary({0, 0, 3, 0}, ", "), "3 pending");
  EXPECT_EQ(summary({0, 1, 0, 2}, " - "), "1 in progress - 2 other");
  EXPECT_EQ(summary({}, ", "), "");
}

}  // namespace
}  // namespace dsh::loader
