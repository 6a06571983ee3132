#include "log/session_list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>

#include "durability/fault_ops.hpp"
#include "log/durable_storage.hpp"
#include "log/log_line.hpp"
#include "support/temporary_directory.hpp"

namespace dsh::loader {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string header(const std::string &id, int version = 0) {
  return R"({"type":"session","version":)" + std::to_string(version) + R"(,"id":")" + id +
         R"(","createdAt":5,"delegationDepth":0})" + "\n";
}

std::string line(std::int64_t seq, std::string_view type) {
  std::string text;
  append_event_line(text, {seq, 100 + seq, type, "{}", {}, {}});
  return text;
}

std::vector<std::string> listed(const std::string &root, FileOps &ops = system_file_ops()) {
  std::vector<std::string> lines;
  int folded = 0;
  list_sessions(
      root, [&folded](const SessionEntry & /*session*/) { folded = 0; },
      [&folded](const Event & /*event*/) { ++folded; },
      [&](const SessionEntry &entry) {
        lines.push_back(entry.id + " " + std::to_string(entry.events) + " " + std::to_string(folded) + " " +
                        std::to_string(entry.last_time) + (entry.damaged ? " damaged: " + entry.error : "") +
                        (entry.doubled ? " doubled" : ""));
      },
      ops);
  return lines;
}

TEST(SessionList, shows_good_and_damaged_sessions_alike) {
  const TemporaryDirectory root;
  EXPECT_THAT(listed(root.path() + "/absent"), ElementsAre());
  root.write("_no-cwd/corrupt/session.jsonl",
             header("corrupt") + line(0, "turn/start") + "x\n" + line(1, "turn/end"));
  root.write("_no-cwd/dropped/session.jsonl",
             header("dropped") + line(0, "turn/start") + line(2, "todo/write"));
  root.write("_no-cwd/empty/session.jsonl", "");
  root.write("_no-cwd/good/session.jsonl", header("good") + line(0, "turn/start") + line(1, "turn/end"));
  root.write("_no-cwd/newer/session.jsonl", header("newer") + line(0, "turn/start"));
  root.write("_no-cwd/newer/session.v2.jsonl",
             header("newer", 2) + line(0, "turn/start") + line(1, "acme/note"));
  root.write("_no-cwd/nothing/session.jsonl.12.tmp", header("nothing"));
  root.write("_no-cwd/torn/session.jsonl", header("torn") + line(0, "turn/start") + "{\"type");
  root.write("_no-cwd/wrong/session.jsonl", header("right"));
  EXPECT_THAT(listed(root.path()),
              ElementsAre(AllOf(HasSubstr("corrupt 1 1 100 damaged"), HasSubstr("line 3")),
                          AllOf(HasSubstr("dropped 1 1 100 damaged"), HasSubstr("line 3")),
                          HasSubstr("empty 0 0 0 damaged: empty or header-less"), "good 2 2 101",
                          "newer 2 2 101", "torn 1 1 100",
                          HasSubstr("right 0 0 0 damaged: corrupt session log: its header names session")));
}

/// Every system call in turn fails. What it was about is told where it belongs, or, where it was no more than
/// a look, is read all the same; nothing else suffers.
TEST(SessionList, what_cannot_be_read_hides_nothing_else) {
  const TemporaryDirectory root;
  const std::vector<std::string> sound = {"a 1 1 100", "b 1 1 100", "c 1 1 100", "d 1 1 100"};
  for (const std::string id : {"a", "b"})
    root.write("_no-cwd/" + id + "/session.jsonl", header(id) + line(0, "turn/start"));
  for (const std::string id : {"c", "d"})
    root.write("--x--/" + id + "/session.jsonl", R"({"type":"session","version":0,"id":")" + id +
                                                     R"(","createdAt":5,"cwd":"/x","delegationDepth":0})" +
                                                     "\n" + line(0, "turn/start"));
  FaultOps ops(system_file_ops());
  ASSERT_THAT(listed(root.path(), ops), ::testing::UnorderedElementsAreArray(sound));
  const std::int64_t calls = ops.calls();
  int told = 0;
  for (const int error : {EIO, EACCES}) {
    for (std::int64_t call = 0; call < calls; ++call) {
      SCOPED_TRACE(std::to_string(call) + ", errno " + std::to_string(error));
      ops.set({call, 1, error});
      std::vector<std::string> lines;
      try {
        lines = listed(root.path(), ops);
      } catch (const Error &) {
        EXPECT_LE(call, 1) << "only the root itself stands for all";
        continue;
      }
      for (const std::string project : {"_no-cwd", "--x--"}) {
        const auto has = [&lines](const std::string &start) {
          return std::any_of(lines.begin(), lines.end(),
                             [&start](const std::string &one) { return one.starts_with(start); });
        };
        const bool unreadable = has(project + " 0 0 0 damaged");
        for (const std::string id : project == "_no-cwd" ? std::array{"a", "b"} : std::array{"c", "d"})
          EXPECT_NE(has(id + " "), unreadable) << id;
      }
      const auto damaged = std::count_if(lines.begin(), lines.end(), [](const std::string &one) {
        return one.find("damaged") != std::string::npos;
      });
      EXPECT_LE(damaged, 1);
      told += static_cast<int>(damaged);
    }
  }
  EXPECT_GT(told, calls);  // of twice as many
}

TEST(SessionList, want_of_memory_for_one_log_hides_no_other) {
  struct ScarceMemory : FaultOps {
    using FaultOps::FaultOps;
    long pread(int fd, void *to, std::size_t size, std::int64_t offset) override {
      if (reads++ == 0) throw std::bad_alloc();
      return FaultOps::pread(fd, to, size, offset);
    }
    int reads = 0;
  };
  const TemporaryDirectory root;
  root.write("_no-cwd/a/session.jsonl", header("a"));
  root.write("_no-cwd/b/session.jsonl", header("b"));
  ScarceMemory ops(system_file_ops());
  EXPECT_THAT(listed(root.path(), ops), ElementsAre(HasSubstr("a 0 0 0 damaged: out of memory"), "b 0 0 0"));
}

TEST(SessionList, a_session_in_two_places_is_marked_in_both) {
  const TemporaryDirectory root;
  root.write("_no-cwd/s/session.jsonl", header("s"));
  root.write("--home--/s/session.jsonl",
             R"({"type":"session","version":0,"id":"s","createdAt":5,"cwd":"/home","delegationDepth":0})"
             "\n");
  EXPECT_THAT(listed(root.path()), ElementsAre(HasSubstr("doubled"), HasSubstr("doubled")));
}

}  // namespace
}  // namespace dsh::loader
