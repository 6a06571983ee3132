#include "log/log_search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <string_view>
#include <vector>

#include "durability/fault_ops.hpp"
#include "log/log_audit.hpp"
#include "support/temporary_directory.hpp"
#include "text/error.hpp"

namespace dsh::loader {
namespace {

using ::testing::ElementsAre;

constexpr const char *header = R"({"type":"session","version":0,"id":"s","createdAt":5,"delegationDepth":0})"
                               "\n";

class LogSearchTest : public ::testing::Test {
 protected:
  /// The sessions of the root; behind a place its other names.
  std::vector<std::string> places() const {
    std::vector<std::string> all;
    for (const SessionPlace &place : sessions_of_root(system_file_ops(), root_.path())) {
      std::string text = place.project + "/" + place.name;
      for (const std::string &other : place.other_names)
        text += " = " + other.substr(root_.path().size() + 1);
      all.push_back(text + (place.problem.empty() ? "" : " problem"));
    }
    return all;
  }
  void link(const std::string &from, const std::string &to) const {
    const std::filesystem::path root = root_.path();
    std::filesystem::create_directories((root / to).parent_path());
    std::filesystem::create_hard_link(root / from, root / to);
  }

  TemporaryDirectory root_;
};

TEST_F(LogSearchTest, a_path_that_cannot_be_read_is_no_finding) {
  root_.write("_no-cwd/a/session.jsonl", header);
  /// As for a user who may look at it, not into it.
  class Closed : public FaultOps {
   public:
    Closed() : FaultOps(system_file_ops()) {}
    int open(const char * /*path*/, int /*flags*/, unsigned /*mode*/) override { return refused(); }
    int list(const char * /*path*/, std::vector<std::string> & /*names*/) override { return refused(); }

   private:
    static int refused() {
      errno = EACCES;
      return -1;
    }
  } closed;
  for (const char *path : {"/_no-cwd/a/session.jsonl", "/_no-cwd/a", "/_no-cwd", ""}) {
    try {
      find_audit_targets(root_.path() + path, closed);
      ADD_FAILURE() << path;
    } catch (const Error &error) {
      EXPECT_EQ(error.text(), "can't audit " + root_.path() + path + ": Permission denied");
    }
  }
}

TEST_F(LogSearchTest, a_path_leads_to_all_logs_under_it) {
  root_.write("_no-cwd/a/session.jsonl", header);
  root_.write("_no-cwd/a/session.v1.jsonl.zstd", "");
  root_.write("--home--/b/session.jsonl", header);
  root_.write("--home--/c/session.v2.jsonl", "");
  root_.write("--home--/c/session.v2.jsonl.zstd", "");
  root_.write("--home--/d/session.jsonl.123.tmp", "");
  root_.write("stray", "");
  const auto paths = [&](const std::string &path) {
    std::vector<std::string> found;
    for (const AuditTarget &target : find_audit_targets(root_.path() + path))
      found.push_back(target.file.path.substr(root_.path().size()) +
                      (target.problem.empty() ? "" : " problem"));
    return found;
  };
  EXPECT_THAT(paths("/"), ElementsAre("/--home--/b/session.jsonl", "/--home--/c problem",
                                      "/_no-cwd/a/session.v1.jsonl.zstd"));
  EXPECT_THAT(paths("/--home--"), ElementsAre("/--home--/b/session.jsonl", "/--home--/c problem"));
  EXPECT_THAT(paths("/_no-cwd/a/"), ElementsAre("/_no-cwd/a/session.v1.jsonl.zstd"));
  EXPECT_THAT(paths("/_no-cwd/a/session.jsonl"), ElementsAre("/_no-cwd/a/session.jsonl"));
}

TEST_F(LogSearchTest, a_file_with_several_names_is_one_session) {
  root_.write("_no-cwd/s/session.jsonl", header);
  link("_no-cwd/s/session.jsonl", "--x--/s/session.jsonl");
  link("_no-cwd/s/session.jsonl", "_no-cwd/t/session.jsonl");
  EXPECT_THAT(places(), ElementsAre("_no-cwd/s = --x--/s/session.jsonl = _no-cwd/t/session.jsonl"));
  const auto found = find_session(system_file_ops(), root_.path(), "s");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].path, root_.path() + "/_no-cwd/s/session.jsonl");
}

TEST_F(LogSearchTest, where_no_name_fits_the_first_stands_for_all) {
  root_.write("_no-cwd/a/session.jsonl", header);
  link("_no-cwd/a/session.jsonl", "_no-cwd/b/session.jsonl");
  root_.write("_no-cwd/c/session.jsonl", "no header");
  link("_no-cwd/c/session.jsonl", "_no-cwd/d/session.jsonl");
  EXPECT_THAT(places(),
              ElementsAre("_no-cwd/a = _no-cwd/b/session.jsonl", "_no-cwd/c = _no-cwd/d/session.jsonl"));
}

TEST_F(LogSearchTest, copies_are_sessions_of_their_own) {
  root_.write("_no-cwd/s/session.jsonl", header);
  root_.write("--x--/s/session.jsonl", header);
  EXPECT_THAT(places(), ElementsAre("--x--/s", "_no-cwd/s"));
  EXPECT_EQ(find_session(system_file_ops(), root_.path(), "s").size(), 2U);
  EXPECT_THAT(find_session(system_file_ops(), root_.path() + "/absent", "s"), ElementsAre());
  EXPECT_THROW(find_session(system_file_ops(), root_.path(), ""), Error);
}

TEST_F(LogSearchTest, a_project_that_another_user_keeps_closed_is_passed_over_and_one_of_ours_is_not) {
  // Root reads everything: so that the system refuses nothing, this does.
  struct Closed : FaultOps {
    using FaultOps::FaultOps;
    int list(const char *path, std::vector<std::string> &names) override {
      return inside(path) ? refused() : FaultOps::list(path, names);
    }
    int stat(const char *path, struct ::stat *to) override {
      if (inside(path)) return refused();
      const int result = FaultOps::stat(path, to);
      if (others) ++to->st_uid;
      return result;
    }
    static bool inside(std::string_view path) { return path.find("--home--/") != std::string_view::npos; }
    static int refused() {
      errno = EACCES;
      return -1;
    }
    bool others = true;
  };
  root_.write("--home--/s/session.jsonl", header);
  root_.write("_no-cwd/t/session.jsonl", header);
  Closed ops(system_file_ops());
  EXPECT_THAT(find_session(ops, root_.path(), "s"), ElementsAre());
  EXPECT_EQ(find_session(ops, root_.path(), "t").size(), 1U);
  ops.others = false;
  EXPECT_THROW(find_session(ops, root_.path(), "s"), Error);
}

TEST_F(LogSearchTest, directories_called_like_logs_are_sessions_in_a_project_and_out_of_place_in_a_session) {
  root_.write("_no-cwd/session.jsonl/session.jsonl", header);
  root_.write("_no-cwd/s/session.jsonl/stray", "");
  EXPECT_THAT(places(), ElementsAre("_no-cwd/s problem", "_no-cwd/session.jsonl"));
  EXPECT_EQ(find_audit_targets(root_.path()).size(), 2U);
  EXPECT_EQ(find_audit_targets(root_.path() + "/_no-cwd").size(), 2U);
  EXPECT_THROW(find_audit_targets(root_.path() + "/_no-cwd/s"), Error);
}

/// Every system call in turn fails: each session is a target all the same, or its project says what is wrong.
TEST_F(LogSearchTest, what_cannot_be_looked_at_is_a_target_with_a_problem) {
  for (const char *session : {"_no-cwd/a", "_no-cwd/b", "--x--/c"})
    root_.write(std::string(session) + "/session.jsonl", header);
  FaultOps ops(system_file_ops());
  ASSERT_EQ(find_audit_targets(root_.path(), ops).size(), 3U);
  const std::int64_t calls = ops.calls();
  int told = 0;
  for (std::int64_t call = 0; call < calls; ++call) {
    ops.set({call, 1, EACCES});
    std::vector<AuditTarget> targets;
    try {
      targets = find_audit_targets(root_.path(), ops);
    } catch (const Error &error) {
      EXPECT_NE(error.text().find("Permission denied"), std::string::npos);
      EXPECT_NE(error.text().find(root_.path()), std::string::npos);
      ++told;
      continue;
    }
    std::string all;
    for (const AuditTarget &target : targets) {
      all += target.file.path + "\n";
      told += target.problem.find("Permission denied") == std::string::npos ? 0 : 1;
    }
    if (all == root_.path() + "\n") continue;  // the root itself
    const auto has = [&all](const std::string &path) { return all.find(path) != std::string::npos; };
    EXPECT_TRUE(has("_no-cwd/a") || has("_no-cwd\n")) << call << '\n' << all;
    EXPECT_TRUE(has("_no-cwd/b") || has("_no-cwd\n")) << call << '\n' << all;
    EXPECT_TRUE(has("--x--/c") || has("--x--\n")) << call << '\n' << all;
  }
  EXPECT_GT(told, calls / 2);
}

}  // namespace
}  // namespace dsh::loader
