#include "log/log_audit.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <new>

#include "durability/fault_ops.hpp"
#include "log/audit_targets.hpp"
#include "log/line_reader.hpp"
#include "log/log_line.hpp"
#include "support/log_generator.hpp"
#include "support/temporary_directory.hpp"
#include "support/zstd_log.hpp"
#include "text/error.hpp"

namespace dsh::loader {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char *header = R"({"type":"session","version":0,"id":"s","createdAt":5,"delegationDepth":0})"
                               "\n";

std::string line(std::int64_t seq, std::string_view type, std::string_view data = "{}") {
  std::string text;
  append_event_line(text, {seq, 100 + seq, type, data, {}, {}});
  return text;
}

std::string turn(std::int64_t seq) { return line(seq, "turn/start") + line(seq + 1, "turn/end"); }

/// "E2: text", "W3(4): text": severity, line, seq where there is one.
std::vector<std::string> texts(const AuditReport &report) {
  std::vector<std::string> all;
  for (const Finding &finding : report.findings)
    all.push_back(std::string(1, "NWE"[static_cast<int>(finding.severity)]) + std::to_string(finding.line) +
                  (finding.seq ? "(" + std::to_string(*finding.seq) + ")" : "") + ": " + finding.text);
  return all;
}

class LogAuditTest : public ::testing::Test {
 protected:
  LogFile log(std::string_view bytes, const std::string &name = "session.jsonl") const {
    const std::string path = root_.write("_no-cwd/s/" + name, bytes);
    return find_audit_targets(path).front().file;
  }
  AuditReport audit(std::string_view bytes, const std::string &name = "session.jsonl") const {
    return audit_log(log(bytes, name), {});
  }

  TemporaryDirectory root_;
};

TEST_F(LogAuditTest, a_sound_log_has_no_findings) {
  const AuditReport report = audit(std::string(header) + turn(0) + turn(2));
  EXPECT_TRUE(report.ok);
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_EQ(report.events, 4);
  EXPECT_EQ(report.header->id, "s");
}

TEST_F(LogAuditTest, a_torn_last_line_is_a_warning) {
  const AuditReport report = audit(std::string(header) + turn(0) + R"({"type":"todo/wri)");
  EXPECT_TRUE(report.ok);
  EXPECT_THAT(texts(report), ElementsAre(HasSubstr("W4: incomplete last line (17 bytes)")));
  EXPECT_EQ(report.events, 2);
}

TEST_F(LogAuditTest, bad_lines_are_errors_that_say_what_becomes_of_the_log) {
  const AuditReport dropped =
      audit(std::string(header) + line(0, "turn/start") + "garbage\n" + line(1, "todo/write"));
  EXPECT_FALSE(dropped.ok);
  EXPECT_THAT(
      texts(dropped),
      ElementsAre(::testing::StartsWith("E3: unparsable event, not an object (byte 1); readers drop it"),
                  HasSubstr("N4: the last turn is still open")));
  EXPECT_EQ(dropped.events, 1);

  const AuditReport corrupt =
      audit(std::string(header) + line(0, "turn/start") + "garbage\n" + line(1, "turn/end") + "\n");
  EXPECT_THAT(texts(corrupt),
              ElementsAre(AllOf(HasSubstr("E3: unparsable event"),
                                HasSubstr("readers refuse it, a finished turn lies behind (line 4)")),
                          HasSubstr("E5: unparsable event, blank line")));
}

TEST_F(LogAuditTest, a_turn_that_ended_behind_a_bad_line_is_not_called_open) {
  const std::string start = header + line(0, "turn/start") + "garbage\n";
  EXPECT_THAT(texts(audit(start + line(1, "turn/end"))), ElementsAre(HasSubstr("E3")));
  EXPECT_THAT(texts(audit(start + line(1, "turn/end") + line(2, "turn/start"))),
              ElementsAre(HasSubstr("E3"), "N5: the last turn is still open"));
  EXPECT_THAT(texts(audit(header + turn(0) + "garbage\n" + line(2, "turn/start"))),
              ElementsAre(HasSubstr("E4: ")))
      << "what readers drop opens none";
}

TEST_F(LogAuditTest, a_line_cut_short_before_blank_ones_is_a_torn_tail) {
  const std::string sound = header + turn(0);
  const AuditReport report = audit(sound + "{\"type\":\n\n \t\n");
  EXPECT_TRUE(report.ok);
  EXPECT_THAT(
      texts(report),
      ElementsAre("W4: incomplete last line before blank lines (8 bytes): readers leave it out, opening to "
                  "write cuts it off"));
  for (const std::string &tail :
       {std::string("{\"type\":\n"), std::string("\n\n"), std::string("{}\n\n"), std::string("{\n\n{"),
        std::string("{\n\n{\n"), "{\n\n" + line(2, "goal/change")})
    EXPECT_FALSE(audit(sound + tail).ok) << tail;
}

TEST_F(LogAuditTest, a_line_that_this_program_does_not_read_has_no_end_cut_off) {
  const std::string deep = line(2, "goal/change", std::string(10'001, '[') + std::string(10'001, ']'));
  const std::string sound = header + turn(0);
  EXPECT_THAT(
      texts(audit(sound + deep)),
      ElementsAre(AllOf(HasSubstr("E4: unparsable event, nested deeper"),
                        HasSubstr("; this program reads no deeper ones: readers and writers refuse"))));
  const char *const refused = "; readers and writers refuse the log: line 5 can't be read";
  EXPECT_THAT(texts(audit(sound + "x\n" + deep + line(3, "turn/end"))),
              ElementsAre(AllOf(HasSubstr("E4: unparsable event, not an object"), HasSubstr(refused)),
                          HasSubstr("E5: unparsable event, nested deeper"), HasSubstr("E6(3): seq gap")));
  EXPECT_THAT(texts(audit(sound + line(1, "goal/change") + deep)),
              ElementsAre(HasSubstr(refused), HasSubstr("E5: unparsable event, nested deeper")));
  EXPECT_THAT(
      texts(audit(sound + "x\n" + line(2, "turn/end") + deep)),
      ElementsAre(HasSubstr("corrupt session log"), HasSubstr("E6: unparsable event, nested deeper")));
}

TEST_F(LogAuditTest, a_line_that_is_too_long_is_named_and_has_no_end_cut_off) {
  const LogFile file = log(header + turn(0) + "x\n");
  std::filesystem::resize_file(file.path, longest_line + 1000);
  EXPECT_THAT(texts(audit_log(file, {})),
              ElementsAre(HasSubstr("; readers and writers refuse the log: line 5 can't be read"),
                          HasSubstr("E5: line 5 is longer than 256 MiB")));
  const LogFile first = log("");
  std::filesystem::resize_file(first.path, longest_line + 1);
  EXPECT_THAT(texts(audit_log(first, {})), ElementsAre(HasSubstr("E1: line 1 is longer than 256 MiB")));
}

TEST_F(LogAuditTest, want_of_memory_names_the_line_that_was_to_be_read) {
  struct ScarceMemory : FaultOps {
    using FaultOps::FaultOps;
    long pread(int fd, void *to, std::size_t size, std::int64_t offset) override {
      if (reads++ == 1) throw std::bad_alloc();
      return FaultOps::pread(fd, to, size, offset);
    }
    int reads = 0;
  } ops(system_file_ops());
  EXPECT_THAT(texts(audit_log(log(header + turn(0)), {}, ops)), ElementsAre(HasSubstr("E4: out of memory")));
}

TEST_F(LogAuditTest, of_bad_lines_in_a_row_the_first_of_each_kind_is_told) {
  const AuditReport report = audit(std::string(header) + "x\ny\n\n\n{}\n" + turn(0) + "y\n");
  EXPECT_THAT(
      texts(report),
      ElementsAre(
          AllOf(HasSubstr("E2: unparsable event, not an object (byte 1); unparsable up to line 3; corrupt"),
                HasSubstr("(line 8)")),
          "E4: unparsable event, blank line; unparsable up to line 5",
          "E6: unparsable event, its type is missing or no text",
          "E9: unparsable event, not an object (byte 1)"));
}

TEST_F(LogAuditTest, gaps_forward_and_back_name_both_seqs) {
  const AuditReport report =
      audit(std::string(header) + line(0, "turn/start") + line(1, "goal/change") + line(2, "goal/change") +
            line(1, "goal/change") + line(2, "goal/change") + line(9, "turn/end"));
  EXPECT_THAT(texts(report), ElementsAre(HasSubstr("E5(1): seq gap (expected 3, got 1); corrupt session log"),
                                         HasSubstr("E7(9): seq gap (expected 3, got 9)")));
}

TEST_F(LogAuditTest, two_records_on_one_line_are_found) {
  EXPECT_THAT(texts(audit(std::string(header) + "{\"a\":1}{\"b\":2}\n")),
              ElementsAre(HasSubstr("E2: unparsable event, text after the value (byte 8)")));
}

TEST_F(LogAuditTest, unknown_types_are_reported_and_reading_goes_on) {
  const AuditReport report = audit(std::string(header) + line(0, "acme/note") +
                                   R"({"type":"acme/other","seq":1,"time":1,"data":{},"ignorable":true})"
                                   "\n" +
                                   line(2, "turn/start") + line(3, "turn/end"));
  EXPECT_TRUE(report.ok);
  EXPECT_THAT(texts(report),
              ElementsAre(HasSubstr("W2(0): event type \"acme/note\" is unknown to log format 0")));
  EXPECT_EQ(report.events, 4);
}

TEST_F(LogAuditTest, newer_formats_may_hold_any_type) {
  const AuditReport report = audit(R"({"type":"session","version":3,"id":"s","createdAt":5})"
                                   "\n" +
                                       line(0, "acme/note"),
                                   "session.v3.jsonl");
  EXPECT_TRUE(report.ok);
  EXPECT_THAT(texts(report), ElementsAre(HasSubstr("W1: the header lacks delegationDepth")));
}

TEST_F(LogAuditTest, a_name_that_disagrees_with_the_header_is_reported) {
  EXPECT_THAT(texts(audit(R"({"type":"session","version":2,"id":"s","createdAt":5,"delegationDepth":0})"
                          "\n",
                          "session.v3.jsonl")),
              ElementsAre("E1: the file's name says session log format 3, its header says 2"));
  EXPECT_THAT(texts(audit(R"({"type":"session","version":7,"id":"s"})"
                          "\n",
                          "session.v7.jsonl")),
              ElementsAre("E0: session log format 7 is unknown: this program reads 0 to 4"));
}

TEST_F(LogAuditTest, a_log_in_the_wrong_directory_is_reported_where_asked_for) {
  root_.write("_no-cwd/other/session.jsonl", header);
  const auto targets = find_audit_targets(root_.path());
  ASSERT_EQ(targets.size(), 1U);
  AuditOptions options;
  options.check_directory = targets[0].check_directory;
  EXPECT_THAT(texts(audit_log(targets[0].file, options)), ElementsAre(HasSubstr("belongs in _no-cwd/s")));
}

TEST_F(LogAuditTest, files_that_are_no_session_logs_are_called_what_they_are) {
  EXPECT_THAT(texts(audit("")), ElementsAre("E0: empty or header-less session log"));
  EXPECT_THAT(texts(audit("{\"type\":\"session\"")), ElementsAre("E1: empty or header-less session log"));
  EXPECT_THAT(texts(audit("hello\n")), ElementsAre("E1: corrupt session log: header line is not valid JSON"));
  EXPECT_THAT(
      texts(audit(line(0, "turn/start"))),
      ElementsAre(
          "E1: corrupt session log: first line is not a session header: the log's header line is missing"));
  EXPECT_THAT(texts(audit(R"({"type":"user","message":{"role":"user"},"uuid":"u","sessionId":"x"})"
                          "\n")),
              ElementsAre(HasSubstr("another agent's transcript")));
  EXPECT_THAT(texts(audit(std::string(100, '\0'))), ElementsAre("E1: empty or header-less session log"));
}

TEST_F(LogAuditTest, what_cannot_be_opened_is_a_finding) {
  EXPECT_THAT(texts(audit_log({root_.path() + "/absent.jsonl", 0, false}, {})),
              ElementsAre(HasSubstr("No such file")));
  EXPECT_THAT(texts(audit_log({root_.path(), 0, false}, {})), ElementsAre(HasSubstr("not a regular file")));
}

TEST_F(LogAuditTest, surface_rules_are_checked) {
  const AuditReport report = audit(
      std::string(header) + line(0, "user/message") +
      R"({"type":"goal/change","seq":1,"time":1,"data":{},"surfaceOp":"append"})"
      "\n"
      R"({"type":"goal/change","seq":2,"time":1,"data":{},"sourceEventSeqs":[0]})"
      "\n"
      R"({"type":"tool/result","seq":3,"time":1,"data":{},"sourceEventSeqs":[1,1],"surfaceOp":"append"})"
      "\n"
      R"({"type":"tool/result","seq":4,"time":1,"data":{},"sourceEventSeqs":[4],"surfaceOp":"append"})"
      "\n"
      R"({"type":"tool/result","seq":5,"time":1,"data":{},"sourceEventSeqs":[4,0],"surfaceOp":"append"})"
      "\n"
      R"({"type":"tool/result","seq":6,"time":1,"data":{},"sourceEventSeqs":[],"surfaceOp":"append"})"
      "\n"
      R"({"type":"user/message","seq":7,"time":1,"data":{},"surfaceOp":null})"
      "\n");
  EXPECT_TRUE(report.ok);
  EXPECT_THAT(
      texts(report),
      ElementsAre(
          AllOf(HasSubstr("W2(0)"), HasSubstr("\"user/message\" is a surface event and needs a surfaceOp")),
          AllOf(HasSubstr("W3(1)"),
                HasSubstr("\"goal/change\" is no surface event and may not carry a surfaceOp")),
          AllOf(HasSubstr("W4(2)"), HasSubstr("may not carry sourceEventSeqs")),
          AllOf(HasSubstr("W5(3)"), HasSubstr("names event 1 twice")),
          AllOf(HasSubstr("W6(4)"), HasSubstr("name no earlier event: 4")),
          AllOf(HasSubstr("W8(6)"), HasSubstr("carries empty sourceEventSeqs")),
          AllOf(HasSubstr("W9(7)"), HasSubstr("needs a surfaceOp"))));
}

class CountingJudge : public EventJudge {
 public:
  void check(const Event &event, Remarks &remarks) override {
    ++events;
    if (event.data != "\"bad\"") return;
    remarks.add(Severity::error, "broken rule");
    remarks.add(Severity::note, "kind", [] { return std::string("and more"); });
  }
  int events = 0;
};

TEST_F(LogAuditTest, rules_and_fold_see_every_event_that_counts) {
  const std::string bytes =
      std::string(header) + line(0, "turn/start", "\"bad\"") +
      R"({"type":"text-chunks","seq0":1,"time0":5,"data":{"turn":1,"step":1,"index":0,"dt":[1],"texts":["a","b"]}})"
      "\n" +
      line(3, "turn/end") + "x\n" + line(4, "turn/start");
  CountingJudge judge;
  std::vector<std::string> folded;
  AuditOptions options;
  options.judges = {&judge};
  options.fold = [&folded](const Event &event) {
    folded.push_back(std::string(event.type) + std::to_string(event.seq));
  };
  const AuditReport report = audit_log(log(bytes), options);
  EXPECT_EQ(judge.events, 4);
  EXPECT_THAT(folded, ElementsAre("turn/start0", "assistant/chunk1", "assistant/chunk2", "turn/end3"));
  EXPECT_THAT(texts(report),
              ElementsAre("E2(0): broken rule", "N2(0): and more", HasSubstr("E5: unparsable")));
}

TEST_F(LogAuditTest, rules_and_fold_see_the_types_they_want_alone) {
  const std::string bytes = std::string(header) + line(0, "turn/start") + line(1, "goal/change") +
                            line(2, "todo/write", R"({"todos":[]})") + line(3, "goal/change", "\"bad\"") +
                            line(4, "goal/change") + line(5, "turn/end");
  CountingJudge judge;
  std::vector<std::int64_t> folded;
  AuditOptions options;
  options.judges = {&judge};
  options.fold = [&folded](const Event &event) { folded.push_back(event.seq); };
  options.wanted = [](std::string_view type) { return type != "goal/change"; };
  const AuditReport report = audit_log(log(bytes), options);
  EXPECT_EQ(judge.events, 3);
  EXPECT_THAT(folded, ElementsAre(0, 2, 5));
  EXPECT_TRUE(report.ok);
  EXPECT_EQ(report.events, 6);
}

TEST_F(LogAuditTest, findings_alike_hide_none_of_another_kind) {
  std::string bytes = header;
  for (int i = 0; i < 50; ++i) bytes += line(i, "user/message");
  bytes += "x\n" + line(50, "turn/end");
  AuditOptions options;
  options.limits = {1000, 2};
  const AuditReport report = audit_log(log(bytes), options);
  EXPECT_FALSE(report.ok);
  EXPECT_THAT(texts(report),
              ElementsAre(HasSubstr("W2(0): "), HasSubstr("W3(1): "),
                          HasSubstr("E52: unparsable event, not an object (byte 1); corrupt session log")));
  ASSERT_EQ(report.more_alike.size(), 1U);
  EXPECT_EQ(report.more_alike[0].finding, 0U);
  EXPECT_EQ(report.more_alike[0].count, 48U);
  EXPECT_EQ(report.more_alike[0].last_line, 51U);
}

TEST_F(LogAuditTest, findings_are_bounded_and_the_rest_counted) {
  std::string bytes = header;
  for (int i = 0; i < 50; ++i) bytes += "x\n" + line(0, "turn/start");
  AuditOptions options;
  options.limits = {10, 10};
  const AuditReport report = audit_log(log(bytes), options);
  EXPECT_EQ(report.findings.size(), 10U);
  std::uint64_t more = report.others_left_out;
  for (const MoreAlike &alike : report.more_alike) more += alike.count;
  EXPECT_EQ(more, 89U);
}

TEST_F(LogAuditTest, compressed_logs_are_unpacked) {
  const std::string text = generate_log({.bytes = 200'000, .id = "s", .packed = true});
  const AuditReport raw = audit(text);
  EXPECT_TRUE(raw.ok) << texts(raw).front();
  const std::string packed = zstd_log(text, 20);
  const AuditReport report = audit(packed, "session.jsonl.zstd");
  EXPECT_EQ(report.events, raw.events);
  EXPECT_THAT(texts(report), texts(raw));
  EXPECT_EQ(audit(packed, "renamed").events, raw.events);
}

TEST_F(LogAuditTest, only_a_log_that_may_be_opened_to_write_is_said_to_be_cut) {
  const std::string newer = R"({"type":"session","version":1,"id":"s","createdAt":5,"delegationDepth":0})"
                            "\n";
  for (const std::string &end : {line(3, "turn/start"), std::string("{\"type\":")}) {
    const std::string events = turn(0) + end;
    EXPECT_THAT(texts(audit(header + events)), ElementsAre(HasSubstr("opening to write cuts")));
    for (const AuditReport &read_only : {audit(zstd_frame(header) + zstd_frame(events), "session.jsonl.zstd"),
                                         audit(newer + events, "session.v1.jsonl")}) {
      ASSERT_EQ(read_only.findings.size(), 1U);
      EXPECT_THAT(read_only.findings[0].text, Not(HasSubstr("opening to write")));
    }
  }
}

TEST_F(LogAuditTest, a_log_that_is_not_opened_to_write_is_not_said_to_be_cut) {
  const std::string torn = "{\"type\":";
  for (const std::string &log : {line(0, "acme/note") + torn, turn(0) + "x\n" + line(2, "turn/end") + torn,
                                 line(0, "acme/note") + "x\n"})
    for (const Finding &finding : audit(header + log).findings)
      EXPECT_THAT(finding.text, Not(HasSubstr("cuts"))) << log;
  const AuditReport old = audit(R"({"type":"session","version":0,"id":"s","createdAt":5})"
                                "\n" +
                                torn);
  ASSERT_EQ(old.findings.size(), 2U);
  EXPECT_THAT(old.findings[1].text, Not(HasSubstr("cuts")));
}

TEST_F(LogAuditTest, damaged_compressed_logs_say_how) {
  const std::string text = generate_log({.bytes = 20'000, .id = "s"});
  const std::string name = "session.jsonl.zstd";
  EXPECT_THAT(texts(audit(text, name)), ElementsAre("E0: corrupt Zstandard session log: not Zstandard data"));
  EXPECT_THAT(texts(audit("", name)), ElementsAre("E0: empty or header-less Zstandard session log"));
  EXPECT_THAT(texts(audit(zstd_frame(text), name)),
              ElementsAre("E0: corrupt Zstandard session log: first frame is not exactly one header line"));
  EXPECT_THAT(texts(audit(zstd_frame("{}"), name)),
              ElementsAre("E0: corrupt Zstandard session log: first frame is not exactly one header line"));
  EXPECT_THAT(texts(audit(zstd_frame(header).substr(0, 20), name)),
              ElementsAre("E0: empty or header-less Zstandard session log"));
  EXPECT_THAT(texts(audit(zstd_log(text, 5), "session.jsonl")),
              ElementsAre(HasSubstr("E1: compressed log under a name without .zstd")));
  const std::string start = zstd_frame(header) + zstd_frame(turn(0));
  EXPECT_THAT(texts(audit(start + zstd_frame("{\"type\":"), name)),
              ElementsAre(HasSubstr("ends inside a line")));
  std::string flipped = start + zstd_frame(turn(2));
  flipped[flipped.size() - 1] = static_cast<char>(flipped[flipped.size() - 1] ^ 1);
  EXPECT_THAT(
      texts(audit(flipped, name)),
      ElementsAre(HasSubstr("the frame at byte " + std::to_string(start.size()) + " failed validation")));
  // A last frame that is cut off is a torn tail.
  const std::string cut = start + zstd_frame(generate_log({.bytes = 300'000})).substr(0, 20'000);
  const AuditReport torn = audit(cut, name);
  EXPECT_EQ(torn.events, 2);
  EXPECT_THAT(texts(audit(start + zstd_frame(turn(2)).substr(0, 8), name)),
              ElementsAre(HasSubstr("the last Zstandard frame is cut off")));
}

TEST_F(LogAuditTest, progress_is_told) {
  std::uint64_t last = 0;
  AuditOptions options;
  options.progress = [&last](std::uint64_t done, std::uint64_t total) {
    EXPECT_LE(done, total);
    EXPECT_GE(done, last);
    last = done;
  };
  const AuditReport report = audit_log(log(generate_log({.bytes = 9'000'000, .id = "s"})), options);
  EXPECT_EQ(last, report.bytes);
}

}  // namespace
}  // namespace dsh::loader
