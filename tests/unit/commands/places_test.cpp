#include "commands/places.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

#include "commands/commands.hpp"

namespace dsh::loader {
namespace {

/// Environment variables for the length of a test.
class PlacesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ::setenv("HOME", "/home/u", 1);
    ::unsetenv("XDG_STATE_HOME");
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
