#include "log/audit_targets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>

#include "durability/fault_ops.hpp"
#include "support/temporary_directory.hpp"
#include "text/error.hpp"

namespace dsh::loader {
namespace {

using ::testing::ElementsAre;

constexpr const char *header = R"({"type":"session","version":0,"id":"s","createdAt":5,"delegationDepth":0})"
                               "\n";

class AuditTargetsTest : public ::testing::Test {
 protected:
  TemporaryDirectory root_;
};

TEST_F(AuditTargetsTest, a_path_leads_to_all_logs_under_it) {
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

TEST_F(AuditTargetsTest, a_path_that_leads_to_no_log_is_refused) {
  EXPECT_THROW(find_audit_targets(root_.path() + "/absent"), Error);
  EXPECT_THROW(find_audit_targets(root_.path()), Error);
}

TEST_F(AuditTargetsTest,
       directories_called_like_logs_are_targets_in_a_project_and_out_of_place_in_a_session) {
  root_.write("_no-cwd/session.jsonl/session.jsonl", header);
  root_.write("_no-cwd/s/session.jsonl/stray", "");
  EXPECT_EQ(find_audit_targets(root_.path()).size(), 2U);
  EXPECT_EQ(find_audit_targets(root_.path() + "/_no-cwd").size(), 2U);
  EXPECT_THROW(find_audit_targets(root_.path() + "/_no-cwd/s"), Error);
}

TEST_F(AuditTargetsTest, a_path_that_cannot_be_read_is_no_finding) {
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

/// Every system call in turn fails: each session is a target all the same, or its project says what is wrong.
TEST_F(AuditTargetsTest, what_cannot_be_looked_at_is_a_target_with_a_problem) {
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
