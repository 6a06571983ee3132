#include "log/log_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dsh::loader {
namespace {

using ::testing::HasSubstr;

std::string problem(std::string_view line) {
  LogLine stored;
  return stored.parse(line) ? "" : stored.problem();
}

TEST(LogLine, an_event_needs_its_four_keys) {
  EXPECT_EQ(problem(R"({"type":"a","seq":0,"time":1,"data":null})"), "");
  EXPECT_EQ(problem(R"({"type":"a","seq":0,"time":-1,"data":null,"more":[]})"), "");
  EXPECT_THAT(problem(R"({"seq":0,"time":1,"data":null})"), HasSubstr("type"));
  EXPECT_THAT(problem(R"({"type":7,"seq":0,"time":1,"data":null})"), HasSubstr("type"));
  EXPECT_THAT(problem(R"({"type":"a","time":1,"data":null})"), HasSubstr("seq"));
  EXPECT_THAT(problem(R"({"type":"a","seq":-1,"time":1,"data":null})"), HasSubstr("seq"));
  EXPECT_THAT(problem(R"({"type":"a","seq":0.5,"time":1,"data":null})"), HasSubstr("seq"));
  EXPECT_THAT(problem(R"({"type":"a","seq":"0","time":1,"data":null})"), HasSubstr("seq"));
  EXPECT_THAT(problem(R"({"type":"a","seq":0,"data":null})"), HasSubstr("time"));
  EXPECT_THAT(problem(R"({"type":"a","seq":0,"time":1})"), HasSubstr("data"));
  EXPECT_THAT(problem(R"({"type":"a","seq":0,"time":1,"data":1,"sourceEventSeqs":1})"),
              HasSubstr("sourceEventSeqs"));
  EXPECT_EQ(problem(""), "blank line");
  EXPECT_EQ(problem(" \t\r"), "blank line");
}

TEST(LogLine, the_last_of_two_keys_counts) {
  LogLine stored;
  ASSERT_TRUE(stored.parse(
      R"({"type":"a","seq":0,"time":1,"data":null,"type":"b","seq":5,"ignorable":true,"ignorable":1})"));
  EXPECT_EQ(stored.event().type, "b");
  EXPECT_EQ(stored.event().seq, 5);
  EXPECT_FALSE(stored.ignorable());
}

TEST(LogLine, packed_rows_must_be_exact) {
  const auto row = [](const std::string &data, const std::string &rest = "") {
    return problem(R"({"type":"text-chunks","seq0":3,"time0":9,"data":)" + data + rest + "}");
  };
  EXPECT_EQ(row(R"({"turn":1,"step":1,"index":0,"dt":[],"texts":["a"]})"), "");
  EXPECT_EQ(row(R"({"turn":1,"step":1,"index":0,"dt":[-0,-5],"texts":["a","b","c"]})"), "");
  EXPECT_THAT(row(R"({"turn":1,"step":1,"index":0,"dt":[],"texts":[]})"), HasSubstr("members"));
  EXPECT_THAT(row(R"({"turn":1,"step":1,"index":0,"dt":[1],"texts":["a"]})"), HasSubstr("gap"));
  EXPECT_THAT(row(R"({"turn":1,"step":1,"index":0,"dt":[1.5],"texts":["a","b"]})"), HasSubstr("members"));
  EXPECT_THAT(row(R"({"turn":1,"step":1,"index":0,"dt":[1],"texts":["a",2]})"), HasSubstr("members"));
  EXPECT_THAT(row(R"({"turn":1,"step":1,"dt":[],"texts":["a"]})"), HasSubstr("members"));
  EXPECT_THAT(row(R"({"turn":1,"step":1,"index":0,"dt":[],"texts":["a"],"id":"x"})"), HasSubstr("members"));
  EXPECT_THAT(row(R"({"turn":1,"step":1,"index":0,"dt":[],"args":["a"]})"), HasSubstr("members"));
  EXPECT_THAT(row(R"({"turn":1,"step":1,"index":0,"dt":[],"texts":["a"]})", R"(,"more":1)"),
              HasSubstr("keys"));
  EXPECT_THAT(row(R"({"turn":1,"step":1,"index":0,"dt":[9007199254740991],"texts":["a","b"]})"),
              HasSubstr("times"));
  EXPECT_THAT(problem(R"({"type":"text-chunks","seq":3,"time":9,"data":{}})"), HasSubstr("keys"));
  EXPECT_THAT(
      problem(
          R"({"type":"tool-call-chunks","seq0":9007199254740991,"time0":9,"data":{"turn":1,"step":1,"index":0,"dt":[0],"id":"i","args":["a","b"]}})"),
      HasSubstr("seqs"));
  EXPECT_EQ(
      problem(
          R"({"type":"tool-call-chunks","seq0":1,"time0":9,"data":{"turn":1,"step":1,"index":0,"dt":[0],"id":"i","name":"n","args":["a","b"]}})"),
      "");
  EXPECT_THAT(
      problem(
          R"({"type":"tool-call-chunks","seq0":1,"time0":9,"data":{"turn":1,"step":1,"index":0,"dt":[0],"name":"n","args":["a","b"]}})"),
      HasSubstr("members"));
}

TEST(LogLine, what_is_written_is_read_back) {
  const Event event{3, -7, "tool/result", R"({"a":"\ud800\n"})", "[1,2]", R"("append")"};
  std::string text;
  append_event_line(text, event);
  EXPECT_EQ(
      text,
      R"({"type":"tool/result","seq":3,"time":-7,"data":{"a":"\ud800\n"},"sourceEventSeqs":[1,2],"surfaceOp":"append"})"
      "\n");
  text.pop_back();
  LogLine stored;
  ASSERT_TRUE(stored.parse(text));
  EXPECT_EQ(stored.event().seq, 3);
  EXPECT_EQ(stored.event().time, -7);
  EXPECT_EQ(stored.event().type, event.type);
  EXPECT_EQ(stored.event().data, event.data);
  EXPECT_EQ(stored.event().source_event_seqs, event.source_event_seqs);
  EXPECT_EQ(stored.event().surface_op, event.surface_op);
}

}  // namespace
}  // namespace dsh::loader
