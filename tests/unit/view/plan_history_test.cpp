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
  EXPECT_THAT(change.added, ElementsAre("new", "new active"));
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

TEST(PlanHistory, follows_writes_and_clearings) {
  const TemporaryDirectory root;
  std::string log = R"({"type":"session","version":0,"id":"s","createdAt":5,"delegationDepth":0})"
                    "\n";
  std::int64_t seq = 0;
  const auto add = [&](std::string_view type, std::string_view data) {
    append_event_line(log, {seq, 100 + seq, type, data, {}, {}});
    ++seq;
  };
  add("turn/start", "{}");
  add("todo/write", R"({"todos":[{"content":"a","status":"pending"}]})");
  add("assistant/chunk", R"({"text":"{\"type\":\"todo/write\"}"})");
  add("todo/write", R"({"todos":7})");
  add("todo/write", R"({"todos":[{"content":"a","status":"completed"}]})");
  add("turn/end", "{}");
  add("turn/start", "{}");
  add("turn/start", "{}");
  add("todo/write", R"({"todos":[{"content":"a","status":"pending"}]})");
  const LogFile file{root.write("_no-cwd/s/session.jsonl", log), 0, false};
  std::vector<std::string> seen;
  read_plan_history(file, [&seen](const HistoryEntry &entry) {
    seen.push_back(std::to_string(entry.seq) + "@" + std::to_string(entry.time) +
                   (entry.cleared ? " cleared" : "") + (entry.problem.empty() ? "" : " " + entry.problem) +
                   " +" + std::to_string(entry.change.added.size()) + " ✓" +
                   std::to_string(entry.change.finished.size()) + " -" +
                   std::to_string(entry.change.dropped.size()));
  });
  EXPECT_THAT(seen, ElementsAre("1@101 +1 ✓0 -0", "3@103 todos is missing or no list +0 ✓0 -0",
                                "4@104 +0 ✓1 -0", "6@106 cleared +0 ✓0 -0", "8@108 +1 ✓0 -0"));
}

}  // namespace
}  // namespace dsh::loader
