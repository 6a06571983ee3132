#include "plugins/library_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "text/error.hpp"
#include "unit/plugins/scratch.hpp"

namespace dsh::loader {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

std::string refusal(const fs::path &path) {
  try {
    LibraryFile::open_trusted(path);
  } catch (const Error &error) {
    return error.what();
  }
  return "opened";
}

TEST(LibraryFile, opens_what_only_its_owner_can_write) {
  const Scratch scratch;
  const auto path = scratch.write("a.so", "content");
  const auto file = LibraryFile::open_trusted(path);
  EXPECT_EQ(file.path(), fs::canonical(path));
  EXPECT_EQ(file.identity().size, 7U);
  EXPECT_TRUE(file.is_in_place());
}

TEST(LibraryFile, refuses_a_library_that_others_may_write) {
  const Scratch scratch;
  const auto path = scratch.write("a.so", "");
  for (const mode_t mode : {0664U, 0646U, 0777U}) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    EXPECT_THAT(refusal(path), AllOf(HasSubstr("others than its owner may write"),
                                     HasSubstr("chmod go-w " + path.string())));
    EXPECT_NO_THROW(LibraryFile::open(path));
  }
}

TEST(LibraryFile, refuses_a_directory_that_others_may_write) {
  const Scratch scratch;
  const auto directory = scratch.path() / "plugins";
  fs::create_directory(directory);
  const auto path = scratch.write("plugins/a.so", "");
  ASSERT_EQ(::chmod(directory.c_str(), 0775), 0);
  EXPECT_THAT(refusal(path), HasSubstr("chmod go-w " + directory.string()));
  // Even a sticky one: anybody could add a library to it.
  ASSERT_EQ(::chmod(directory.c_str(), 01777), 0);
  EXPECT_THAT(refusal(path), HasSubstr("move the plugin to a directory of its own"));
}

TEST(LibraryFile, refuses_an_ancestor_that_others_may_write_unless_it_is_sticky) {
  const Scratch scratch;
  const auto above = scratch.path() / "above";
  fs::create_directories(above / "plugins");
  const auto path = scratch.write("above/plugins/a.so", "");
  ASSERT_EQ(::chmod(above.c_str(), 0777), 0);
  EXPECT_THAT(refusal(path), HasSubstr("refusing to load from " + above.string() + ": "));
  ASSERT_EQ(::chmod(above.c_str(), 01777), 0);
  EXPECT_EQ(refusal(path), "opened");
}

TEST(LibraryFile, names_all_that_others_may_write_at_once) {
  const Scratch scratch;
  const auto above = scratch.path() / "above it";
  fs::create_directories(above / "plugins");
  const auto path = scratch.write("above it/plugins/a.so", "");
  for (const auto &one : {above, above / "plugins", path}) ASSERT_EQ(::chmod(one.c_str(), 0775), 0);
  const std::string quoted =
      " '" + above.string() + "' '" + path.parent_path().string() + "' '" + path.string() + "'";
  EXPECT_THAT(refusal(path), AllOf(HasSubstr("refusing to load from " + above.string() + ", "),
                                   HasSubstr(" and " + path.string() + ": others than their owners"),
                                   testing::EndsWith("run chmod go-w" + quoted)));
  ASSERT_EQ(std::system(("chmod go-w" + quoted).c_str()), 0);  // NOLINT: the command as it is told
  EXPECT_EQ(refusal(path), "opened");
}

TEST(LibraryFile, refuses_what_belongs_to_somebody_else) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  const Scratch scratch;
  const auto path = scratch.write("plugins/a.so", "");
  ASSERT_EQ(::chown(path.c_str(), 1, 1), 0);
  EXPECT_THAT(refusal(path), AllOf(HasSubstr("belongs to"), HasSubstr("run chown")));
  ASSERT_EQ(::chown(path.c_str(), 0, 0), 0);
  ASSERT_EQ(::chown(path.parent_path().c_str(), 1, 1), 0);
  EXPECT_THAT(refusal(path), AllOf(HasSubstr(path.parent_path().string()), HasSubstr("run chown")));
}

TEST(LibraryFile, checks_where_a_symbolic_link_leads) {
  const Scratch scratch;
  const auto path = scratch.write("open/a.so", "");
  fs::create_directory(scratch.path() / "closed");
  const auto link = scratch.path() / "closed" / "a.so";
  fs::create_symlink(path, link);
  EXPECT_EQ(LibraryFile::open_trusted(link).path(), fs::canonical(path));
  ASSERT_EQ(::chmod(path.parent_path().c_str(), 0777), 0);
  EXPECT_THAT(refusal(link), HasSubstr("chmod go-w " + path.parent_path().string()));
}

TEST(LibraryFile, names_what_is_no_regular_file) {
  const Scratch scratch;
  EXPECT_THAT(refusal(scratch.path() / "none.so"), HasSubstr("No such file or directory"));
  fs::create_directory(scratch.path() / "directory.so");
  EXPECT_THAT(refusal(scratch.path() / "directory.so"), HasSubstr("Is a directory"));
  const auto pipe = scratch.path() / "pipe.so";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(refusal(pipe), HasSubstr("no regular file"));
  const auto loop = scratch.path() / "loop.so";
  fs::create_symlink(loop, loop);
  EXPECT_THAT(refusal(loop), HasSubstr("Too many levels of symbolic links"));
}

TEST(LibraryFile, makes_escape_codes_in_a_path_visible) {
  const Scratch scratch;
  EXPECT_THAT(refusal(scratch.path() / "\033[31mred\n.so"), testing::Not(testing::ContainsRegex("[\033\n]")));
}

TEST(LibraryFile, notices_that_its_path_leads_elsewhere) {
  const Scratch scratch;
  const auto path = scratch.write("a.so", "old");
  const auto file = LibraryFile::open_trusted(path);
  const auto before = file.identity();
  fs::rename(scratch.write("b.so", "new"), path);
  EXPECT_FALSE(file.is_in_place());
  EXPECT_TRUE(file.identity().same_file(before));
}

}  // namespace
}  // namespace dsh::loader
