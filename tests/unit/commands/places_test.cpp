#include "commands/places.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "commands/commands.hpp"
#include "support/temporary_directory.hpp"

namespace dsh::loader {
namespace {

/// Environment variables for the length of a test.
class PlacesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ::setenv("HOME", "/home/u", 1);
    ::unsetenv("XDG_STATE_HOME");
    ::unsetenv("DSH_HOME");
  }
  CommonOptions common_;
};

TEST_F(PlacesTest, sessions_are_the_users_state) {
  EXPECT_EQ(sessions_root(common_), "/home/u/.local/state/dsh/sessions");
}

TEST_F(PlacesTest, sessions_follow_the_state_directory) {
  ::setenv("XDG_STATE_HOME", "/state", 1);
  EXPECT_EQ(sessions_root(common_), "/state/dsh/sessions");
}

TEST_F(PlacesTest, a_relative_state_directory_does_not_count) {
  ::setenv("XDG_STATE_HOME", "state", 1);
  EXPECT_EQ(sessions_root(common_), "/home/u/.local/state/dsh/sessions");
}

TEST_F(PlacesTest, the_home_of_the_reference_is_told_and_never_chosen) {
  const TemporaryDirectory home;
  ::setenv("XDG_STATE_HOME", "/state", 1);
  ::setenv("DSH_HOME", home.path().c_str(), 1);
  EXPECT_EQ(sessions_root(common_), "/state/dsh/sessions");
  EXPECT_EQ(other_root_remark("/root"), "");
  std::filesystem::create_directory(home.path() + "/sessions");
  EXPECT_THAT(other_root_remark("/root"), testing::HasSubstr("--sessions " + home.path() + "/sessions"));
}

TEST_F(PlacesTest, the_usual_home_of_the_reference_is_worth_a_remark_where_it_is_there) {
  EXPECT_EQ(other_root_remark("/root"), "");
  const TemporaryDirectory home;
  ::setenv("HOME", home.path().c_str(), 1);
  EXPECT_EQ(other_root_remark("/root"), "");
  const std::filesystem::path sessions = home.path() + "/.dsh/sessions";
  std::filesystem::create_directories(sessions);
  EXPECT_THAT(other_root_remark("/root"), testing::HasSubstr("--sessions " + sessions.string()));
  EXPECT_EQ(other_root_remark(sessions.string() + "/"), "");
}

TEST_F(PlacesTest, each_directory_has_a_session_of_its_own) {
  const std::string here = directory_session(common_);
  EXPECT_THAT(here, testing::MatchesRegex("mcp-[0-9a-f]{16}"));
  common_.cwd = std::filesystem::current_path().string();
  EXPECT_EQ(directory_session(common_), here);
  common_.cwd = "/elsewhere";
  EXPECT_NE(directory_session(common_), here);
}

TEST_F(PlacesTest, an_option_decides) {
  common_.sessions = "here";
  EXPECT_EQ(sessions_root(common_), "here");
}

TEST_F(PlacesTest, a_session_belongs_to_no_directory_unless_told) {
  EXPECT_EQ(session_cwd(common_), std::nullopt);
}

TEST_F(PlacesTest, an_absolute_directory_is_kept_letter_for_letter) {
  common_.cwd = "/home/u/../u//My Proj:x/";
  EXPECT_EQ(session_cwd(common_), common_.cwd);
}

TEST_F(PlacesTest, a_relative_directory_is_made_absolute) {
  const std::string here = std::filesystem::current_path().string();
  common_.cwd = ".";
  EXPECT_EQ(session_cwd(common_), here);
  common_.cwd = "./a/../b/";
  EXPECT_EQ(session_cwd(common_), here + "/b");
}

}  // namespace
}  // namespace dsh::loader
