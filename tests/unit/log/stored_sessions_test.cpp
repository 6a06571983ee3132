#include "log/stored_sessions.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error_of.hpp"
#include "support/temporary_directory.hpp"

namespace dsh::loader {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

class StoredSessionsTest : public ::testing::Test {
 protected:
  StoredSessions sessions(std::optional<std::string> cwd) const {
    return {root_.path(), std::move(cwd), system_file_ops()};
  }
  /// Makes a session of a directory; the path of its log, from the root.
  std::string make(const std::string &id, const std::optional<std::string> &cwd) const {
    sessions(cwd).create(id, 0)->append({0, 1, "turn/start", "{}", {}, {}}, Sync::now);
    return session_directory("", cwd, id).substr(1) + "/session.jsonl";
  }
  std::string found(const std::optional<std::string> &cwd, const std::string &id) const {
    const auto log = sessions(cwd).log(id);
    return log ? log->path.substr(root_.path().size() + 1) : "none";
  }

  TemporaryDirectory root_;
};

TEST_F(StoredSessionsTest, a_project_has_its_own_sessions_and_all_are_found_without_one) {
  const std::string log = make("s", "/a");
  EXPECT_EQ(found("/a", "s"), log);
  EXPECT_EQ(found(std::nullopt, "s"), log);
  EXPECT_EQ(error_of([&] { (void)sessions("/b").log("s"); }), R"(session "s" belongs to "/a", not to "/b")");
  EXPECT_EQ(found("/a", "t"), "none");
  EXPECT_TRUE(sessions("/b").exists("s")) << "no other project may take its id";
}

TEST_F(StoredSessionsTest, of_projects_that_share_a_directory_each_has_its_own) {
  make("s", "/a/b");
  EXPECT_EQ(error_of([&] { (void)sessions("/a:b").log("s"); }),
            R"(session "s" belongs to "/a/b", not to "/a:b")");
}

TEST_F(StoredSessionsTest, a_session_is_one_of_the_project_by_its_header_else_by_its_place) {
  SessionEntry session;
  session.directory = "/root/--a-b--/s";
  EXPECT_TRUE(sessions(std::nullopt).includes(session));
  EXPECT_TRUE(sessions("/a/b").includes(session)) << "damaged: its place is all that is known";
  EXPECT_TRUE(sessions("/a:b").includes(session));
  EXPECT_FALSE(sessions("/b").includes(session));
  session.cwd = "/a/b";
  EXPECT_TRUE(sessions("/a/b").includes(session));
  EXPECT_FALSE(sessions("/a:b").includes(session));
}

TEST_F(StoredSessionsTest, watched_is_where_the_log_lies_and_where_it_may_come_to_lie) {
  make("other", "/a");
  const std::filesystem::path root = root_.path();
  EXPECT_THAT(sessions("/a").directories("s"), Contains(root / "--a--" / "s"));
  EXPECT_THAT(sessions("/a").directories("s"), Not(Contains(root)));
  const auto anywhere = sessions(std::nullopt).directories("s");
  EXPECT_THAT(anywhere, Contains(root)) << "for projects to come";
  EXPECT_THAT(anywhere, Contains(root / "--a--" / "s"));
}

TEST_F(StoredSessionsTest, watched_is_where_a_link_leads_too) {
  const std::string elsewhere = root_.write("kept/log", "");
  std::filesystem::create_directories(root_.path() + "/_no-cwd/s");
  std::filesystem::create_symlink(elsewhere, root_.path() + "/_no-cwd/s/session.jsonl");
  EXPECT_THAT(sessions(std::nullopt).directories("s"),
              Contains(std::filesystem::path(root_.path()) / "kept"));
}

}  // namespace
}  // namespace dsh::loader
