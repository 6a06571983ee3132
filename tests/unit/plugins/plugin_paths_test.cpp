#include "plugins/plugin_paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "plugins/installation.hpp"
#include "support/error_of.hpp"
#include "text/error.hpp"
#include "unit/plugins/scratch.hpp"

namespace dsh::loader {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class PluginPathsTest : public testing::Test {
 protected:
  fs::path found(std::string_view name) const {
    return paths_.find(name, scratch_.path() / "composition").path().lexically_relative(scratch_.path());
  }

  std::string refusal(std::string_view name) const {
    try {
      return "found " + found(name).string();
    } catch (const Error &error) {
      return error.what();
    }
  }

  Scratch scratch_;
  PluginPaths paths_{{scratch_.path() / "one", scratch_.path() / "two"}};
};

TEST_F(PluginPathsTest, a_package_is_a_library_of_a_plugins_directory) {
  scratch_.write("one/pkg.so", "");
  scratch_.write("two/libother.so", "");
  EXPECT_EQ(found("pkg"), "one/pkg.so");
  EXPECT_EQ(found("@scope/pkg"), "one/pkg.so");
  EXPECT_EQ(found("@another-scope/other"), "two/libother.so");
}

TEST_F(PluginPathsTest, the_first_directory_wins_then_the_plain_name) {
  scratch_.write("two/pkg.so", "");
  EXPECT_EQ(found("pkg"), "two/pkg.so");
  scratch_.write("one/libpkg.so", "");
  EXPECT_EQ(found("pkg"), "one/libpkg.so");
  scratch_.write("one/pkg.so", "");
  EXPECT_EQ(found("pkg"), "one/pkg.so");
}

TEST_F(PluginPathsTest, a_missing_plugin_is_named_with_every_place_searched) {
  EXPECT_THAT(refusal("@deepseek-ai/dsh-tool-todoo"),
              AllOf(HasSubstr("\"@deepseek-ai/dsh-tool-todoo\""), HasSubstr("dsh-tool-todoo.so"),
                    HasSubstr((scratch_.path() / "one").string()),
                    HasSubstr((scratch_.path() / "two").string()), HasSubstr("--plugins")));
  EXPECT_THROW(PluginPaths({}).find("pkg", scratch_.path()), Error);
}

TEST_F(PluginPathsTest, names_that_could_leave_the_directory_are_refused) {
  scratch_.write("one/pkg.so", "");
  scratch_.write("one/sub/pkg.so", "");
  scratch_.write("pkg.so", "");
  for (const std::string name : {"sub/pkg", "/etc/pkg", "@scope/sub/pkg", "@scope/../pkg", "@../pkg",
                                 "@sc\\ope/pkg", "a\\b", "@scope/..", "@scope/", "@/pkg", "@scope",
                                 "@scope/.hidden", "", "pkg/", "one/../pkg", "pkg\n", "@scope/p\033kg"})
    EXPECT_THAT(refusal(name), HasSubstr("the plugin name")) << name;
  EXPECT_THAT(refusal(std::string("pkg\0x", 5)), HasSubstr("control character"));
}

TEST_F(PluginPathsTest, a_link_may_not_lead_out_of_the_directory) {
  const auto outside = scratch_.write("outside/pkg.so", "");
  fs::create_directory(scratch_.path() / "one");
  fs::create_symlink(outside, scratch_.path() / "one" / "pkg.so");
  EXPECT_THAT(refusal("pkg"), AllOf(HasSubstr("outside the plugins directory"), HasSubstr(outside.string())));
  fs::create_symlink("../outside/pkg.so", scratch_.path() / "one" / "relative.so");
  EXPECT_THAT(refusal("relative"), HasSubstr("outside the plugins directory"));
  // A directory whose name merely starts alike is outside too.
  const auto twin = scratch_.write("one-more/pkg.so", "");
  fs::create_symlink(twin, scratch_.path() / "one" / "twin.so");
  EXPECT_THAT(refusal("twin"), HasSubstr("outside the plugins directory"));
}

TEST_F(PluginPathsTest, links_within_the_directory_and_to_it_are_fine) {
  scratch_.write("one/pkg.so.1.2", "");
  fs::create_symlink("pkg.so.1.2", scratch_.path() / "one" / "libpkg.so");
  EXPECT_EQ(found("pkg"), "one/pkg.so.1.2");
  fs::create_directory_symlink(scratch_.path() / "one", scratch_.path() / "alias");
  const PluginPaths through_link({scratch_.path() / "alias"});
  EXPECT_EQ(through_link.find("pkg", {}).path(), scratch_.path() / "one" / "pkg.so.1.2");
}

TEST_F(PluginPathsTest, a_dangling_link_is_an_error_rather_than_no_plugin) {
  fs::create_directory(scratch_.path() / "one");
  fs::create_symlink("gone.so", scratch_.path() / "one" / "pkg.so");
  scratch_.write("two/pkg.so", "");
  EXPECT_THAT(refusal("pkg"), AllOf(HasSubstr("one/pkg.so"), HasSubstr("No such file")));
}

TEST_F(PluginPathsTest, a_dot_makes_a_path_relative_to_the_composition) {
  scratch_.write("composition/mine.so", "");
  scratch_.write("elsewhere/theirs.so", "");
  EXPECT_EQ(found("./mine.so"), "composition/mine.so");
  EXPECT_EQ(found("./mine"), "composition/mine.so");
  EXPECT_EQ(found("../elsewhere/theirs.so"), "elsewhere/theirs.so");
  EXPECT_THAT(refusal("./none"), HasSubstr("No such file"));
  EXPECT_THAT(refusal("./"), HasSubstr("Is a directory"));
  EXPECT_THAT(refusal(std::string("./a\0b", 5)), HasSubstr("control character"));
}

TEST_F(PluginPathsTest, what_stands_in_the_way_of_a_plugins_directory_is_told) {
  scratch_.write("one", "a file where a directory is expected");
  EXPECT_THAT(refusal("pkg"), HasSubstr("no plugin"));
  fs::remove(scratch_.path() / "one");
  fs::create_symlink("one", scratch_.path() / "one");
  EXPECT_THAT(refusal("pkg"), HasSubstr("Too many levels of symbolic links"));
}

TEST_F(PluginPathsTest, what_the_command_line_gives_replaces_the_standard_places) {
  ::setenv("DSH_PLUGIN_PATH", "/a::/b:", 1);
  const auto searched = [](const PluginPaths &paths) {
    const std::string refusal = error_of([&] { paths.find("no-such-plugin", "/"); });
    const std::size_t start = refusal.find(" in ") + 4;
    return refusal.substr(start, refusal.find(';') - start);
  };
  const std::string installed = installed_plugins().string();
  EXPECT_EQ(searched(PluginPaths::standard({})), "/a, /b, " + installed);
  EXPECT_EQ(searched(PluginPaths::standard({"/c", "/d"})), "/c, /d");
  ::unsetenv("DSH_PLUGIN_PATH");
  EXPECT_EQ(searched(PluginPaths::standard({})), installed);
}

TEST(Installation, is_found_beside_the_program) {
  const auto program = fs::read_symlink("/proc/self/exe").parent_path();
  EXPECT_EQ(installed_plugins().filename(), "plugins");
  EXPECT_EQ(installed_composition().filename(), "todo.yaml");
  EXPECT_TRUE(installed_composition().string().starts_with(program.parent_path().string()));
}

}  // namespace
}  // namespace dsh::loader
