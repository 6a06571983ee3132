#include "view/history_view.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <utility>

namespace dsh::loader {
namespace {

class HistoryView : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("TZ", "UTC", 1);
    ::tzset();
  }
};

TEST_F(HistoryView, a_write_is_a_line_and_a_line_for_each_change) {
  HistoryEntry entry;
  entry.time = 1785987077399;
  entry.items = {{"a", "in_progress"}, {"b", "pending"}, {"c", "completed"}, {"d", "cancelled"}};
  entry.change = {{"b"}, {"a"}, {"c"}, {"d"}, {"e\n"}};
  EXPECT_EQ(history_lines(entry, {}),
            (std::vector<std::string>{"2026-08-06 03:31:17  1 completed\u2002·\u20021 in "
                                      "progress\u2002·\u20021 pending\u2002·\u20021 other",
                                      "  + added    b", "  ▸ started  a", "  ✓ finished c", "  ↺ reopened d",
                                      "  − dropped  e↵"}));
  Style ascii;
  ascii.unicode = false;
  ascii.width = 26;
  entry.change.added = {"a long content"};
  EXPECT_EQ(history_lines(entry, ascii),
            (std::vector<std::string>{"2026-08-06 03:31:17", "1 completed - 1 in prog...",
                                      "  + added    a long con...", "  > started  a", "  x finished c",
                                      "  < reopened d", "  - dropped  e\\n"}));
}

TEST_F(HistoryView, a_turn_says_what_it_cleared) {
  HistoryEntry entry;
  entry.cleared = true;
  entry.change.dropped = {"a"};
  EXPECT_EQ(history_lines(entry, {}),
            (std::vector<std::string>{"1970-01-01 00:00:00  a turn starts: the plan is cleared",
                                      "  − dropped  a"}));
}

TEST_F(HistoryView, an_emptied_and_a_malformed_list_say_so) {
  HistoryEntry entry;
  EXPECT_EQ(history_lines(entry, {}), (std::vector<std::string>{"1970-01-01 00:00:00  the list is emptied"}));
  entry.problem = "todos is no list\x1b";
  EXPECT_EQ(history_lines(entry, {}),
            (std::vector<std::string>{"1970-01-01 00:00:00  a malformed list", "  ! todos is no list\\x1b"}));
}

HistoryEntry write_of(std::vector<PlanItem> items, PlanChange change) {
  HistoryEntry entry;
  entry.items = std::move(items);
  entry.change = std::move(change);
  return entry;
}

TEST_F(HistoryView, an_item_that_arrives_completed_is_told_once_as_both) {
  HistoryWalk walk;
  const HistoryEntry first =
      walk.next(write_of({{"a", "completed"}, {"b", "in_progress"}}, {{"b"}, {"b"}, {"a"}, {}, {}}));
  EXPECT_EQ(first.change.added, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(history_lines(first, {}),
            (std::vector<std::string>{"1970-01-01 00:00:00  1 completed\u2002·\u20021 in progress",
                                      "  + added            b", "  ▸ started          b",
                                      "  ✓ added, completed a"}));
  const HistoryEntry second = walk.next(write_of({{"b", "completed"}}, {{}, {}, {"b"}, {}, {}}));
  EXPECT_EQ(history_lines(second, {}).back(), "  ✓ finished b");
}

TEST_F(HistoryView, what_was_before_a_clearing_is_new_again_but_not_what_was_before_a_malformed_list) {
  HistoryWalk walk;
  walk.next(write_of({{"a", "pending"}}, {{"a"}, {}, {}, {}, {}}));
  HistoryEntry malformed;
  malformed.problem = "todos is no list";
  EXPECT_EQ(walk.next(malformed).problem, "todos is no list");
  EXPECT_EQ(walk.next(write_of({{"a", "completed"}}, {{}, {}, {"a"}, {}, {}})).change.added,
            std::vector<std::string>());
  HistoryEntry cleared;
  cleared.cleared = true;
  walk.next(cleared);
  EXPECT_EQ(walk.next(write_of({{"a", "completed"}}, {{}, {}, {"a"}, {}, {}})).change.added,
            std::vector<std::string>{"a"});
}

TEST_F(HistoryView, an_unknown_status_is_a_problem_of_its_entry) {
  HistoryWalk walk;
  const HistoryEntry entry =
      walk.next(write_of({{"a", "pending"}, {"b", "done"}}, {{"a", "b"}, {}, {}, {}, {}}));
  EXPECT_EQ(entry.problem, "item 2 has the unknown status \"done\"");
  EXPECT_EQ(history_lines(entry, {}).back(), "  ! item 2 has the unknown status \"done\"");
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
