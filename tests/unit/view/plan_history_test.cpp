#include "view/plan_history.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "log/log_line.hpp"
#include "support/temporary_directory.hpp"
#include "text/error.hpp"

namespace dsh::loader {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<PlanItem> list(const std::vector<std::pair<std::string, std::string>> &items) {
  std::vector<PlanItem> plan;
  for (const auto &[content, status] : items) plan.push_back({content, status, false});
  return plan;
}

TEST(ComparePlans, tells_what_became_of_each_item) {
  const auto before = list({{"stays", "pending"},
                            {"starts", "pending"},
                            {"ends", "in_progress"},
                            {"again", "completed"},
                            {"lost", "in_progress"},
                            {"done", "completed"}});
  const auto after = list({{"again", "in_progress"},
                           {"stays", "pending"},
                           {"starts", "in_progress"},
                           {"ends", "completed"},
                           {"new", "pending"},
                           {"new active", "in_progress"},
                           {"new done", "completed"}});
  const PlanChange change = compare_plans(before, after);
  EXPECT_THAT(change.added, ElementsAre("new", "new active", "new done"));
  EXPECT_THAT(change.started, ElementsAre("again", "starts", "new active"));
  EXPECT_THAT(change.finished, ElementsAre("ends", "new done"));
  EXPECT_THAT(change.reopened, ElementsAre("again"));
  EXPECT_THAT(change.dropped, ElementsAre("lost"));
}

TEST(ParsePlanItems, takes_lists_and_refuses_the_rest) {
  const auto items = parse_plan_items(
      R"({"x":1,"todos":[{"content":"a\ud800","status":"pending"},{"status":"odd","content":"b","id":1}]})");
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[0].content, "a\xED\xA0\x80");
  EXPECT_FALSE(items[0].extra_keys);
  EXPECT_EQ(items[1].status, "odd");
  EXPECT_TRUE(items[1].extra_keys);
  EXPECT_THAT(parse_plan_items(R"({"todos":[]})"), IsEmpty());
  for (const char *bad :
       {"null", "[]", "{}", R"({"todos":{}})", R"({"todos":["a"]})", R"({"todos":[{"content":"a"}]})",
        R"({"todos":[{"content":1,"status":"pending"}]})"}) {
    EXPECT_THROW(parse_plan_items(bad), Error) << bad;
  }
}

TEST(ParsePlanItems, is_not_misled_by_what_lies_deeper_or_stands_twice) {
  const auto items = parse_plan_items(
      R"({"a":{"todos":1,"content":"x"},"todos":7,"todo\u0073":[{"content":"no","status":"x"},)"
      R"({"content":["content","y"],"x":{"content":"z","status":"z"},"content":"b","status":"c"}],"b":"todos"})");
  ASSERT_EQ(items.size(), 2U);
  EXPECT_EQ(items[1].content, "b");
  EXPECT_EQ(items[1].status, "c");
  EXPECT_TRUE(items[1].extra_keys);
  EXPECT_THAT(parse_plan_items(R"({"todos":[1],"todos":[]})"), IsEmpty());
  for (const char *bad : {R"([{"todos":[]}])", R"({"a":{"todos":[]}})", R"({"todos":[],"todos":null})",
                          R"({"todos":[["a",{"content":"a","status":"b"}]]})",
                          R"({"todos":[{"content":"a","status":"b"},[{"content":"a"},"status"]]})",
                          R"({"todos":[{"content":"a","status":"b","status":[]}]})", R"("todos")"}) {
    EXPECT_THROW(parse_plan_items(bad), Error) << bad;
  }
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

/// A session's log under `root`, written event by event.
class WrittenLog {
 public:
  void add(std::string_view type, std::string_view data) {
    append_event_line(text_, {seq_, 100 + seq_, type, data, {}, {}});
    ++seq_;
  }
  std::vector<HistoryEntry> history() const {
    const TemporaryDirectory root;
    std::vector<HistoryEntry> entries;
    read_plan_history({root.write("_no-cwd/s/session.jsonl", text_), 0, false},
                      [&entries](const HistoryEntry &entry) { entries.push_back(entry); });
    return entries;
  }

 private:
  std::string text_ = R"({"type":"session","version":0,"id":"s","createdAt":5,"delegationDepth":0})"
                      "\n";
  std::int64_t seq_ = 0;
};

TEST(PlanHistory, follows_writes_and_clearings) {
  WrittenLog log;
  log.add("turn/start", "{}");
  log.add("todo/write", R"({"todos":[{"content":"a","status":"pending"}]})");
  log.add("assistant/chunk", R"({"text":"{\"type\":\"todo/write\"}"})");
  log.add("todo/write", R"({"todos":7})");
  log.add("todo/write", R"({"todos":[{"content":"a","status":"completed"}]})");
  log.add("turn/end", "{}");
  log.add("turn/start", "{}");
  log.add("turn/start", "{}");
  log.add("todo/write", R"({"todos":[{"content":"a","status":"completed"}]})");
  std::vector<std::string> seen;
  for (const HistoryEntry &entry : log.history()) {
    seen.push_back(std::to_string(entry.seq) + "@" + std::to_string(entry.time) +
                   (entry.cleared ? " cleared" : "") + (entry.problem.empty() ? "" : " " + entry.problem) +
                   " +" + std::to_string(entry.change.added.size()) + " ✓" +
                   std::to_string(entry.change.finished.size()) + " -" +
                   std::to_string(entry.change.dropped.size()));
  }
  EXPECT_THAT(seen, ElementsAre("1@101 +1 ✓0 -0", "3@103 the plan in the log is no list +0 ✓0 -0",
                                "4@104 +0 ✓1 -0", "6@106 cleared +0 ✓0 -0", "8@108 +1 ✓1 -0"));
}

TEST(PlanHistory, an_unknown_status_is_a_problem_of_a_list_that_stands) {
  WrittenLog log;
  log.add("turn/start", "{}");
  log.add("todo/write", R"({"todos":[{"content":"a","status":"pending"},{"content":"b","status":"done"}]})");
  log.add("todo/write", R"({"todos":[{"content":"b","status":"completed"}]})");
  const std::vector<HistoryEntry> history = log.history();
  ASSERT_EQ(history.size(), 2U);
  EXPECT_EQ(history[0].problem, "item 2 has the unknown status \"done\"");
  EXPECT_THAT(history[0].change.added, ElementsAre("a", "b"));
  EXPECT_EQ(history[1].problem, "");
  EXPECT_THAT(history[1].change.added, IsEmpty());
}

}  // namespace
}  // namespace dsh::loader
