#include "log/log_line.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <random>

#include "support/log_generator.hpp"
#include "support/switches.hpp"

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

TEST(LogLine, a_key_of_a_packed_row_may_stand_there_twice_as_in_an_event) {
  LogLine stored;
  ASSERT_TRUE(stored.parse(
      R"({"type":"text-chunks","seq0":3,"time0":9,"seq0":4,"data":{"turn":1,"step":1,"index":0,"dt":[1,2],"dt":[],"texts":["a"]}})"))
      << stored.problem();
  EXPECT_EQ(stored.event().seq, 4);
  EXPECT_EQ(stored.count(), 1);
  EXPECT_THAT(
      problem(
          R"({"type":"text-chunks","type":"text-chunks","seq0":3,"data":{"turn":1,"step":1,"index":0,"dt":[],"texts":["a"]}})"),
      HasSubstr("keys"));
  EXPECT_THAT(
      problem(
          R"({"type":"text-chunks","seq0":3,"time0":9,"data":{"turn":1,"turn":1,"step":1,"index":0,"texts":["a"]}})"),
      HasSubstr("members"));
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

/// Everything that a parse says of a line.
std::string described(const LogLine &stored, bool sound) {
  if (!sound) return "bad: " + stored.problem();
  const Event &event = stored.event();
  std::string text = std::string(event.type) + "|" + std::to_string(event.seq) + "|" +
                     std::to_string(event.time) + "|" + std::string(event.data) + "|" +
                     std::string(event.source_event_seqs) + "|" + std::string(event.surface_op);
  return text + "|" + std::to_string(stored.count()) + (stored.ignorable() ? "|ignorable" : "") +
         (stored.packed() ? "|packed" : "");
}

/// `quick` has parsed other lines before: what it remembers of them must not show.
void expect_same(LogLine &quick, std::string_view line) {
  LogLine plain;
  const bool quick_sound = quick.parse(line);
  const bool plain_sound = plain.parse_any(line);
  ASSERT_EQ(described(quick, quick_sound), described(plain, plain_sound)) << line;
}

TEST(LogLine, the_short_cut_gives_what_the_long_way_gives) {
  LogLine quick;
  for (const char *line : {R"({"type":"a/b","seq":0,"time":1,"data":{}})",
                           R"({"type":"a/b","seq":00,"time":1,"data":{}})",
                           R"({"type":"a/b","seq":0,"time":-1,"data":{}})",
                           R"({"type":"a/b","seq":0,"time":-0,"data":{}})",
                           R"({"type":"a/b","seq":1.0,"time":1,"data":{}})",
                           R"({"type":"a/b","seq":1e3,"time":1,"data":{}})",
                           R"({"type":"a/b","seq":999999999999999,"time":999999999999999,"data":{}})",
                           R"({"type":"a/b","seq":9007199254740992,"time":1,"data":{}})",
                           R"({"type":"a/b","seq":99999999999999999999,"time":1,"data":{}})",
                           R"({"type":"a/b","seq":,"time":1,"data":{}})",
                           R"({"type":"a/b","seq":0,"time":1,"data":})",
                           R"({"type":"a/b","seq":0,"time":1,"data":1)",
                           R"({"type":"a/b","seq":0,"time":1,"data":1}})",
                           R"({"type":"a/b","seq":0,"time":1,"data":1} )",
                           R"({"type":"a/b","seq":0,"time":1,"data":1 })",
                           R"({"type":"a/b","seq":0,"time":1,"data": 1})",
                           R"({"type":"a/b","seq":0,"time":1,"data":1,"type":"c/d"})",
                           R"({"type":"a/b","seq":0,"time":1,"data":1,"surfaceOp":"append"})",
                           R"({"type":"a/b","seq":0,"time":1,"data":1,"ignorable":true})",
                           R"({"type":"a\/b","seq":0,"time":1,"data":1})",
                           R"({"type":"A/b","seq":0,"time":1,"data":1})",
                           R"({"type":"/","seq":0,"time":1,"data":1})",
                           R"({"type":"","seq":0,"time":1,"data":1})",
                           R"({"type":"text-chunks","seq":0,"time":1,"data":1})",
                           R"({"type":"a/b","seq":0,"time":1,"data":"}"})",
                           R"({"type":"a/b","seq":0,"time":1,"data":"\"})",
                           "{\"type\":\"a/b\",\"seq\":0,\"time\":1,\"data\":1}\r",
                           "{"}) {
    expect_same(quick, line);
    expect_same(quick, R"({"type":"a/b","seq":5,"time":1,"data":[]})");
    expect_same(quick, line);
  }
}

/// A line broken in one or two places, most of them in the envelope, where the ways part.
std::string damaged(std::string line, std::mt19937 &random) {
  const auto below = [&random](std::size_t bound) { return static_cast<std::size_t>(random()) % bound; };
  for (std::size_t edits = 1 + below(2); edits > 0; --edits) {
    const std::size_t at = below(below(4) == 0 ? line.size() : std::min<std::size_t>(line.size(), 70));
    switch (below(4)) {
      case 0:
        line[at] = "\"{}[]:,\\ 0129-+eE.xu/\x01\xC3"[below(24)];
        break;
      case 1:
        line.erase(at, 1 + below(3));
        break;
      case 2:
        line.insert(at, 1, "\"{}[]:,\\ 0129-+eE.xu/\t\xE4"[below(24)]);
        break;
      default:
        line.insert(at, line.substr(below(line.size()), below(20)));
    }
    if (line.empty()) line = "x";
  }
  return line;
}

TEST(LogLine, the_short_cut_gives_what_the_long_way_gives_of_damaged_lines_too) {
  LogLine quick;
  std::mt19937 random(99);
  const std::string log = generate_log({.bytes = 400'000, .seed = 5, .packed = true});
  for (std::size_t begin = 0; begin < log.size();) {
    const std::size_t end = log.find('\n', begin);
    const std::string line = log.substr(begin, end - begin);
    begin = end + 1;
    expect_same(quick, line);
    for (int i = 0; i < 40; ++i) expect_same(quick, damaged(line, random));
    if (HasFatalFailure()) return;
  }
}

/// Goes through the lines as a reader does that looks ahead; tells how many it took that way.
std::size_t walk_ahead(LogLine &quick, std::string_view text) {
  std::size_t taken = 0;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t size = quick.parse_ahead(text);
    if (size == 0) {
      quick.parse(line);
    } else {
      ++taken;
      LogLine plain;
      const bool sound = plain.parse_any(line);
      EXPECT_EQ(size, line.size() + 1) << text;
      EXPECT_EQ(described(quick, true), described(plain, sound)) << text;
      if (::testing::Test::HasFailure()) return taken;
    }
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return taken;
}

TEST(LogLine, what_is_taken_ahead_is_a_line_that_the_long_way_takes) {
  const std::uint32_t seed = test_seed();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const std::string log = generate_log({.bytes = 100'000, .seed = 7});
  LogLine quick;
  EXPECT_GT(walk_ahead(quick, log), 50U);
  for (int round = 0; round < 3000; ++round) {
    const std::size_t begin = random() % log.size();
    std::string text = log.substr(log.find('\n', begin) + 1, 1500 + random() % 1000);
    for (std::size_t edits = random() % 4; edits > 0 && !text.empty(); --edits) {
      const std::size_t at = random() % text.size();
      const char c = "\n\"{}[]:,\\ 0129-eu/\t\r\xE4"[random() % 21];
      if (random() % 3 == 0)
        text.erase(at, 1 + random() % 3);
      else if (random() % 2 == 0)
        text.insert(at, 1, c);
      else
        text[at] = c;
    }
    walk_ahead(quick, text);
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace dsh::loader
