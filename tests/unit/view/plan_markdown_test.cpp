#include "view/plan_markdown.hpp"

#include <gtest/gtest.h>

namespace dsh::loader {
namespace {

Plan plan(ShownItems items) { return {std::move(items), {}}; }

std::string line_of(std::string content) {
  return plan_markdown(plan({{std::move(content), Status::pending, "pending"}}));
}

TEST(PlanMarkdown, is_a_checklist_to_paste) {
  EXPECT_EQ(plan_markdown(plan({{"Read", Status::completed, "completed"},
                                {"Watch", Status::in_progress, "in_progress"},
                                {"Write", Status::pending, "pending"}})),
            "- [x] Read\n- [ ] Watch *(in progress)*\n- [ ] Write\n");
}

TEST(PlanMarkdown, a_status_that_is_none_stands_behind_its_item) {
  EXPECT_EQ(plan_markdown(plan({{"odd", Status::other, "x*"}, {"none", Status::other, ""}})),
            "- [ ] odd *(x\\*)*\n- [ ] none *(no status)*\n");
}

TEST(PlanMarkdown, where_there_is_no_plan_it_says_so) {
  EXPECT_EQ(plan_markdown({}), "No plan.\n");
  EXPECT_EQ(plan_markdown({std::nullopt, "the plan in the log is no list"}),
            "No plan: the plan in the log is no list\n");
  EXPECT_EQ(plan_markdown(plan({})), "The plan is empty.\n");
}

TEST(PlanMarkdown, contents_are_data) {
  EXPECT_EQ(line_of("*a* <b> [c](d) `e` snake_case _f_\n# g"),
            "- [ ] \\*a\\* \\<b\\> \\[c\\](d) \\`e\\` snake_case \\_f\\_↵# g\n");
  EXPECT_EQ(line_of("\xed\xa0\x80\xff"), "- [ ] \uFFFD\uFFFD\n");
}

}  // namespace
}  // namespace dsh::loader
