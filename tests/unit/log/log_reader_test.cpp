#include "log/log_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "log/zstd_source.hpp"
#include "text/error.hpp"
#include "unit/log/text_source.hpp"

namespace dsh::loader {
namespace {

using ::testing::HasSubstr;

constexpr const char *header = R"({"type":"session","version":0,"id":"s","createdAt":5,"delegationDepth":0})"
                               "\n";

std::string line(std::int64_t seq, std::string_view type) {
  std::string text;
  append_event_line(text, {seq, 100 + seq, type, "{}", {}, {}});
  return text;
}

/// What a reader takes of a log: "2 events, 180 bytes, last 101; dropped line 4: …", or its error.
std::string read(const std::string &log) {
  TextSource source(log);
  try {
    LogReader reader(source);
    while (reader.next()) EXPECT_EQ(reader.line().end(), reader.kept_bytes());
    EXPECT_FALSE(reader.next()) << "the end stays the end";
    std::string text = std::to_string(reader.events()) + " events, " + std::to_string(reader.kept_bytes()) +
                       " bytes, last " + std::to_string(reader.last_time());
    if (const auto &dropped = reader.dropped())
      text += "; dropped line " + std::to_string(dropped->line) + (dropped->torn ? " (torn): " : ": ") +
              dropped->reason;
    return text;
  } catch (const Error &error) {
    return error.text();
  }
}

std::string kept(const std::string &log, const std::string &events) {
  return events + " events, " + std::to_string(log.size()) + " bytes";
}

TEST(LogReader, a_last_line_without_its_end_does_not_count) {
  const std::string sound = header + line(0, "turn/start") + line(1, "turn/end");
  EXPECT_EQ(read(sound), kept(sound, "2") + ", last 101");
  for (const std::string tail : {"x", R"({"type":"todo/wri)"})
    EXPECT_EQ(read(sound + tail),
              kept(sound, "2") + ", last 101; dropped line 4 (torn): incomplete last line");
  std::string whole = line(2, "turn/end");
  whole.pop_back();
  EXPECT_THAT(read(sound + whole), HasSubstr(kept(sound, "2") + ", last 101; dropped line 4 (torn)"));
}

TEST(LogReader, one_cut_short_before_blank_lines_does_not_either) {
  const std::string sound = header + line(0, "turn/start");
  for (const std::string tail : {"{\"type\":\n\n", "x\n \t\n\n"})
    EXPECT_THAT(read(sound + tail), HasSubstr("dropped line 3 (torn): unparsable event, "));
  for (const std::string tail : {"{}\n\n", "\n\n", "x\n\n{", "x\n\nx\n", "x\nx\n\n"})
    EXPECT_THAT(read(sound + tail), HasSubstr("dropped line 3: unparsable event, ")) << tail;
}

TEST(LogReader, a_bad_line_without_a_finished_turn_behind_it_ends_the_log) {
  const std::string sound = header + line(0, "turn/start");
  for (const std::string bad : {"x\n", "\n", "{}\n", "[]\n"}) {
    EXPECT_THAT(read(sound + bad), HasSubstr(kept(sound, "1") + ", last 100; dropped line 3: unparsable"));
    EXPECT_THAT(read(sound + bad + line(1, "todo/write")), HasSubstr("dropped line 3: unparsable"));
  }
  EXPECT_THAT(read(sound + line(5, "todo/write")), HasSubstr("dropped line 3: seq gap (expected 1, got 5)"));
  EXPECT_THAT(read(sound + line(0, "todo/write")), HasSubstr("dropped line 3: seq gap (expected 1, got 0)"));
  std::string torn_end = line(1, "turn/end");
  torn_end.pop_back();
  EXPECT_THAT(read(sound + "x\n" + torn_end), HasSubstr("dropped line 3")) << "its line end is missing";
}

TEST(LogReader, one_with_a_finished_turn_behind_it_makes_the_log_corrupt) {
  const std::string sound = header + line(0, "turn/start");
  EXPECT_THAT(read(sound + "x\n" + line(1, "turn/end")),
              HasSubstr("corrupt session log: unparsable event, "));
  EXPECT_THAT(read(sound + "x\n" + line(1, "turn/end")), HasSubstr(" at line 3, with a finished turn"));
  EXPECT_EQ(read(sound + line(2, "turn/end")),
            "corrupt session log: seq gap (expected 1, got 2) at line 3, with a finished turn behind it");
}

TEST(LogReader, a_packed_row_counts_for_its_events) {
  const std::string log =
      header +
      std::string(R"({"type":"text-chunks","seq0":0,"time0":10,)"
                  R"("data":{"turn":1,"step":1,"index":0,"dt":[5,-2],"texts":["a","b","c"]}})") +
      "\n";
  EXPECT_EQ(read(log), kept(log, "3") + ", last 13");
  EXPECT_THAT(read(log + line(3, "turn/end")), HasSubstr("4 events"));
  EXPECT_THAT(read(log + line(1, "turn/end")), HasSubstr("seq gap (expected 3, got 1)"));
}

TEST(LogReader, the_first_line_is_a_header_or_the_file_is_called_what_it_is) {
  EXPECT_EQ(read(""), "empty or header-less session log");
  std::string torn = header;
  torn.pop_back();
  EXPECT_EQ(read(torn), "empty or header-less session log");
  EXPECT_EQ(read(line(0, "turn/start")), "corrupt session log: first line is not a session header");
  for (const std::string rest : {"", "\n", "xyz\n"})
    EXPECT_THAT(read(std::string(zstd_magic) + rest),
                HasSubstr("compressed log under a name without .zstd: rename it"));
}

}  // namespace
}  // namespace dsh::loader
