#include "view/plan_history.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "log/log_line.hpp"
#include "support/temporary_directory.hpp"
#include "text/advised_error.hpp"

namespace dsh::loader {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<PlanItem> list(const std::vector<std::pair<std::string, std::string>> &items) {
  std::vector<PlanItem> plan;
  for (const auto &[content, status] : items) plan.push_back({content, status});
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
  for (const HistoryEntry &entry : log.history())
    seen.push_back(std::to_string(entry.seq) + "@" + std::to_string(entry.time) +
                   (entry.cleared ? " cleared" : "") + (entry.problem.empty() ? "" : " " + entry.problem) +
                   " +" + std::to_string(entry.change.added.size()) + " ✓" +
                   std::to_string(entry.change.finished.size()) + " -" +
                   std::to_string(entry.change.dropped.size()));
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

TEST(PlanHistory, of_a_log_that_is_not_there_says_what_the_system_says) {
  const TemporaryDirectory root;
  const LogFile gone{root.path() + "/session.jsonl", 0, false};
  try {
    read_plan_history(gone, [](const HistoryEntry &) {});
    ADD_FAILURE();
  } catch (const AdvisedError &error) {
    EXPECT_EQ(error.text(), "can't open " + gone.path + ": No such file or directory");
  }
}

}  // namespace
}  // namespace dsh::loader
