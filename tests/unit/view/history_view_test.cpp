#include "view/history_view.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

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

TEST_F(HistoryView, an_item_that_arrives_completed_is_told_once_as_both) {
  HistoryEntry entry;
  entry.items = {{"a", "completed"}, {"b", "in_progress"}};
  entry.change = {{"a", "b"}, {"b"}, {"a"}, {}, {}};
  EXPECT_EQ(history_lines(entry, {}),
            (std::vector<std::string>{"1970-01-01 00:00:00  1 completed\u2002·\u20021 in progress",
                                      "  + added            b", "  ▸ started          b",
                                      "  ✓ added, completed a"}));
}

TEST_F(HistoryView, a_problem_of_a_list_that_has_items_stands_below_them) {
  HistoryEntry entry;
  entry.items = {{"a", "done"}};
  entry.problem = "item 1 has the unknown status \"done\"";
  EXPECT_EQ(history_lines(entry, {}),
            (std::vector<std::string>{"1970-01-01 00:00:00  1 other",
                                      "  ! item 1 has the unknown status \"done\""}));
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
