#include "log/log_search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <string_view>
#include <vector>

#include "durability/fault_ops.hpp"
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
}

}  // namespace
}  // namespace dsh::loader
