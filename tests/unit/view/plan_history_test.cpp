#include "view/plan_history.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>

#include "view/history_view.hpp"

namespace dsh::loader {
namespace {

PlanItem item(const char *content, Status status) {
  static constexpr const char *words[] = {"pending", "in_progress", "completed", "cancelled"};
  return {content, status, words[static_cast<std::size_t>(status)]};
}

Plan plan(PlanItems items) { return {std::move(items), {}}; }

const PlanItem a_pending = item("a", Status::pending);
const PlanItem a_active = item("a", Status::in_progress);
const PlanItem a_done = item("a", Status::completed);
const PlanItem b_pending = item("b", Status::pending);
const PlanItem c_pending = item("c", Status::pending);

using Changes = std::vector<PlanChange>;

TEST(PlanHistory, each_change_of_status_has_its_name) {
  EXPECT_EQ(changes_between(plan({a_pending}), plan({a_active})), (Changes{{Change::started, a_active}}));
  EXPECT_EQ(changes_between(plan({a_active}), plan({a_done})), (Changes{{Change::finished, a_done}}));
  EXPECT_EQ(changes_between(plan({a_pending}), plan({a_done})), (Changes{{Change::finished, a_done}}));
  EXPECT_EQ(changes_between(plan({a_active}), plan({a_pending})), (Changes{{Change::paused, a_pending}}));
  EXPECT_EQ(changes_between(plan({a_done}), plan({a_pending})), (Changes{{Change::reopened, a_pending}}));
  EXPECT_EQ(changes_between(plan({a_done}), plan({a_active})),
            (Changes{{Change::reopened, a_active}, {Change::started, a_active}}));
  EXPECT_EQ(changes_between(plan({a_active}), plan({a_active})), Changes{});
}

TEST(PlanHistory, items_that_come_and_go) {
  EXPECT_EQ(changes_between({}, plan({a_active, b_pending})),
            (Changes{{Change::added, a_active}, {Change::started, a_active}, {Change::added, b_pending}}));
  EXPECT_EQ(changes_between(plan({c_pending, a_done, b_pending}), plan({b_pending})),
            (Changes{{Change::dropped, c_pending}, {Change::dropped, a_done}}))
      << "in the order of the list they were in";
  EXPECT_EQ(changes_between(plan({a_active}), {}), (Changes{{Change::dropped, a_active}})) << "a turn began";
}

TEST(PlanHistory, a_new_order_alone_is_no_change) {
  EXPECT_EQ(changes_between(plan({a_done, b_pending}), plan({b_pending, a_done})), Changes{});
}

TEST(PlanHistory, equal_contents_in_a_foreign_log_are_paired_in_order) {
  EXPECT_EQ(changes_between(plan({a_pending, a_active}), plan({a_pending})),
            (Changes{{Change::dropped, a_active}}));
}

TEST(PlanHistory, an_unknown_status_is_neither_a_start_nor_a_finish) {
  const PlanItem odd = item("a", Status::other);
  EXPECT_EQ(changes_between(plan({a_pending}), plan({odd})), Changes{});
  EXPECT_EQ(changes_between(plan({odd}), plan({a_done})), (Changes{{Change::finished, a_done}}));
}

class HistoryView : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("TZ", "UTC", 1);
    ::tzset();
  }
};

TEST_F(HistoryView, an_entry_is_a_line_and_a_line_for_each_change) {
  HistoryEntry entry;
  entry.time = 1785987077399;
  entry.plan = plan({a_active, b_pending});
  entry.changes = changes_between({}, entry.plan);
  EXPECT_EQ(history_lines(entry, {}),
            (std::vector<std::string>{"2026-08-06 03:31:17  1 in progress\u2002·\u20021 pending",  //
                                      "  + added    a", "  ▸ started  a", "  + added    b"}));
  Style ascii;
  ascii.unicode = false;
  ascii.width = 30;
  EXPECT_EQ(history_lines(entry, ascii),
            (std::vector<std::string>{"2026-08-06 03:31:17  1 in p...",  //
                                      "  + added    a", "  > started  a", "  + added    b"}));
}

TEST_F(HistoryView, a_turn_says_what_it_cleared) {
  HistoryEntry entry;
  entry.turn_start = true;
  EXPECT_EQ(history_lines(entry, {}), (std::vector<std::string>{"1970-01-01 00:00:00  a turn starts"}));
  entry.changes = changes_between(plan({a_active}), {});
  EXPECT_EQ(history_lines(entry, {}),
            (std::vector<std::string>{"1970-01-01 00:00:00  a turn starts: the plan is cleared",
                                      "  − dropped  a"}));
}

TEST_F(HistoryView, any_time_that_a_log_holds_can_be_shown) {
  for (const std::int64_t time : {std::numeric_limits<std::int64_t>::min(), std::int64_t{-1}, std::int64_t{0},
                                  std::numeric_limits<std::int64_t>::max()}) {
    HistoryEntry entry;
    entry.time = time;
    EXPECT_FALSE(history_lines(entry, {}).at(0).empty());
  }
}

}  // namespace
}  // namespace dsh::loader
