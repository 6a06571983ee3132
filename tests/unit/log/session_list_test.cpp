#include "log/session_list.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

std::vector<std::string> listed(const std::string &root) {
  std::vector<std::string> lines;
  int folded = 0;
  list_sessions(
      root, [&folded] { folded = 0; }, [&folded](const Event & /*event*/) { ++folded; },
      [&](const SessionEntry &entry) {
        lines.push_back(entry.id + " " + std::to_string(entry.events) + " " + std::to_string(folded) + " " +
                        std::to_string(entry.last_time) + (entry.damaged ? " damaged: " + entry.error : ""));
      });
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

TEST(SessionList, a_session_in_two_places_is_marked_in_both) {
  const TemporaryDirectory root;
  root.write("_no-cwd/s/session.jsonl", header("s"));
  root.write("--home--/s/session.jsonl",
             R"({"type":"session","version":0,"id":"s","createdAt":5,"cwd":"/home","delegationDepth":0})"
             "\n");
  EXPECT_THAT(listed(root.path()),
              ElementsAre(HasSubstr("more than one project"), HasSubstr("more than one project")));
}

}  // namespace
}  // namespace dsh::loader
