#include "view/plan_judge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dsh::loader {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// "W: text", "N: text".
class Said : public Remarks {
 public:
  void add(Severity severity, std::string text) override {
    all.push_back(std::string(1, "NWE"[static_cast<int>(severity)]) + ": " + text);
  }
  void add(Severity severity, const std::string &kind, const std::function<std::string()> &text) override {
    EXPECT_TRUE(text().starts_with(kind));
    add(severity, text());
  }
  std::vector<std::string> all;
};

std::vector<std::string> said(PlanJudge &judge, std::string_view type, std::string_view data = "{}") {
  EXPECT_TRUE(PlanJudge::takes(type));
  Said said;
  judge.check({0, 0, type, data, {}, {}}, said);
  return said.all;
}

constexpr const char *three = R"({"todos":[{"content":"a","status":"pending"},)"
                              R"({"content":"b\u001b","status":"in_progress"},)"
                              R"({"content":"c","status":"completed"}]})";

TEST(PlanJudge, tells_extra_keys_and_what_was_dropped_unfinished) {
  PlanJudge judge;
  EXPECT_THAT(said(judge, "turn/start"), IsEmpty());
  EXPECT_THAT(said(judge, "todo/write", three), IsEmpty());
  EXPECT_THAT(said(judge, "todo/write", R"({"todos":[{"content":"a","status":"completed","id":7}]})"),
              ElementsAre("W: items with keys other than content and status",
                          "N: 1 unfinished dropped: \"b\\u001b\""));
  EXPECT_THAT(said(judge, "todo/write", R"({"todos":[]})"), IsEmpty()) << "it was finished";
}

TEST(PlanJudge, a_turn_that_starts_drops_nothing) {
  PlanJudge judge;
  said(judge, "todo/write", three);
  EXPECT_THAT(said(judge, "turn/start"), IsEmpty());
  EXPECT_THAT(said(judge, "todo/write", R"({"todos":[]})"), IsEmpty());
}

TEST(PlanJudge, a_list_that_is_none_changes_nothing) {
  PlanJudge judge;
  said(judge, "todo/write", three);
  for (const char *none : {"null", "{}", R"({"todos":{}})", R"({"todos":[7]})"})
    EXPECT_THAT(said(judge, "todo/write", none), IsEmpty());
  EXPECT_THAT(said(judge, "todo/write", R"({"todos":[]})"),
              ElementsAre("N: 2 unfinished dropped: \"a\", \"b\\u001b\""));
}

TEST(PlanJudge, names_as_many_as_a_finding_holds) {
  PlanJudge judge;
  std::string list = R"({"todos":[)";
  for (int i = 0; i < 15; ++i) {
    for (int letter = 0; letter < 100; ++letter)
      list += letter == 0 && i == 0 ? R"({"content":")" : letter == 0 ? R"(,{"content":")" : R"(\u0001)";
    list += std::to_string(i) + R"(","status":"pending"})";
  }
  said(judge, "todo/write", list + "]}");
  const std::vector<std::string> all = said(judge, "todo/write", R"({"todos":[]})");
  ASSERT_EQ(all.size(), 1U);
  EXPECT_LT(all[0].size(), 4096U);
  EXPECT_THAT(all[0], ::testing::EndsWith("3\" and 11 more"));
}

TEST(PlanJudge, takes_no_other_events) { EXPECT_FALSE(PlanJudge::takes("turn/end")); }

}  // namespace
}  // namespace dsh::loader
