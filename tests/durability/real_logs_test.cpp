// Logs that the reference wrote, and transcripts that are none: those of the directory that DSH_REAL_LOGS
// names. They belong to whoever has them, and do not come with the tests.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "durability/log_checks.hpp"
#include "log/audit_targets.hpp"
#include "log/log_audit.hpp"
#include "log/log_header.hpp"
#include "log/log_tail.hpp"
#include "support/temporary_directory.hpp"
#include "text/json_text.hpp"

namespace dsh::loader {
namespace {

using ::testing::HasSubstr;

std::vector<std::string> lines_of(const std::filesystem::path &path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

class RealLogsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const char *const directory = std::getenv("DSH_REAL_LOGS");
    if (directory == nullptr) GTEST_SKIP() << "DSH_REAL_LOGS names no directory of other programs' logs";
    ASSERT_TRUE(std::filesystem::is_directory(directory)) << "DSH_REAL_LOGS is " << directory;
    for (const auto &entry : std::filesystem::directory_iterator(directory)) {
      const std::string name = entry.path().filename().string();
      if (name.ends_with(".jsonl")) (name.starts_with("dsh-") ? logs_ : transcripts_).push_back(entry.path());
    }
    ASSERT_FALSE(logs_.empty());
  }

  std::vector<std::filesystem::path> logs_;
  std::vector<std::filesystem::path> transcripts_;
};

/// The lines of a log whose seq and time were stripped get them back.
std::vector<std::string> numbered(std::vector<std::string> lines) {
  std::int64_t seq = 0;
  for (std::size_t at = 1; at < lines.size(); ++at) {
    std::string &line = lines[at];
    if (line.find(R"(","seq")") != std::string::npos && line.find(R"(,"time":)") != std::string::npos)
      continue;
    LogLine stored;
    const std::size_t data = line.find(R"(,"data":)");
    const bool row = line.find(R"(-chunks","data")") != std::string::npos;
    line.insert(data, std::string(row ? R"(,"seq0":)" : R"(,"seq":)") + std::to_string(seq) +
                          (row ? R"(,"time0":1000)" : R"(,"time":1000)"));
    EXPECT_TRUE(stored.parse(line)) << stored.problem() << line;
    seq += stored.count();
  }
  return lines;
}

TEST_F(RealLogsTest, every_line_is_read_and_written_back_byte_for_byte) {
  std::size_t events = 0;
  for (const auto &path : logs_) {
    SCOPED_TRACE(path.filename());
    const auto lines = numbered(lines_of(path));
    const TemporaryDirectory root;
    std::string text;
    for (const std::string &line : lines) text += line + "\n";
    const LogFile file{root.write("log.jsonl", text), -1, false};
    LogSource source(file);
    LogReader reader(source.bytes());
    if (reader.header().delegation_depth) {
      EXPECT_EQ(header_line(reader.header()), lines[0] + "\n");
    }
    for (std::size_t at = 1; at < lines.size(); ++at) {
      ASSERT_TRUE(reader.next()) << reader.dropped()->reason;
      if (!reader.stored().packed()) {
        EXPECT_EQ(event_text(reader.stored().event()), lines[at] + "\n");
      }
      ++events;
    }
    EXPECT_FALSE(reader.next());
    EXPECT_FALSE(reader.dropped().has_value());
  }
  std::printf("%zu logs, %zu lines\n", logs_.size(), events);
}

TEST_F(RealLogsTest, audit_finds_no_damage_in_them) {
  for (const auto &path : logs_) {
    SCOPED_TRACE(path.filename());
    std::string text;
    for (const std::string &line : numbered(lines_of(path))) text += line + "\n";
    const TemporaryDirectory root;
    const AuditReport report = audit_log({root.write("log.jsonl", text), -1, false}, {});
    for (const Finding &finding : report.findings)
      EXPECT_NE(finding.severity, Severity::error) << finding.line << ": " << finding.text;
  }
}

TEST_F(RealLogsTest, a_session_written_from_one_is_the_same_file) {
  for (const auto &path : logs_) {
    SCOPED_TRACE(path.filename());
    const auto lines = numbered(lines_of(path));
    const SessionHeader header = parse_header_line(lines[0]);
    const TemporaryDirectory root;
    const DurableStorage storage(root.path());
    const auto store = storage.create(header.id, header.cwd);
    LogLine stored;
    bool known = true;
    std::string written;
    for (std::size_t at = 1; at < lines.size() && known; ++at) {
      ASSERT_TRUE(stored.parse(lines[at]));
      stored.each(0, [&](const Event &event) {
        known = error_of([&] { store->append(event, Sync::deferred); }).empty();
        written += event_text(event);
        return known;
      });
    }
    if (!known) continue;
    store->append({store->size(), 1, "session/title", "{}", {}, {}}, Sync::now);
    std::string text;
    for (const std::string &event : events_of(*store)) text += event;
    EXPECT_THAT(text, ::testing::StartsWith(written));
    EXPECT_EQ(read_events(system_file_ops(), storage.find(header.id)).size(),
              static_cast<std::size_t>(store->size()));
  }
}

TEST_F(RealLogsTest, the_plan_from_the_end_is_the_plan_from_the_start) {
  for (const auto &path : logs_) {
    SCOPED_TRACE(path.filename());
    const auto lines = numbered(lines_of(path));
    const SessionHeader header = parse_header_line(lines[0]);
    std::string text;
    for (const std::string &line : lines) text += line + "\n";
    const TemporaryDirectory root;
    const LogFile file{root.write(session_directory("", header.cwd, header.id) + "/session.jsonl", text), 0,
                       false};
    std::string from_end;
    const TailResult tail = read_tail(file, {"todo/write", "turn/start"}, [&](const Event &event) {
      from_end = event_text(event);
      return true;
    });
    std::string from_start;
    for (const std::string &event : read_events(system_file_ops(), file))
      if (event.starts_with(R"({"type":"todo/write")") || event.starts_with(R"({"type":"turn/start")"))
        from_start = event;
    EXPECT_EQ(from_end, from_start);
    EXPECT_LT(tail.bytes_read, text.size() + 8192);
  }
}

TEST_F(RealLogsTest, transcripts_of_other_agents_are_called_so) {
  for (const auto &path : transcripts_) {
    SCOPED_TRACE(path.filename());
    const auto targets = find_audit_targets(path.string());
    ASSERT_EQ(targets.size(), 1U);
    const AuditReport report = audit_log(targets[0].file, {});
    EXPECT_FALSE(report.ok);
    ASSERT_EQ(report.findings.size(), 1U);
    EXPECT_THAT(report.findings[0].text, HasSubstr("another agent's transcript"));
  }
}

}  // namespace
}  // namespace dsh::loader
