#include "log/file_ops.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>
#include <fstream>

#include "support/temporary_directory.hpp"

namespace dsh::loader {
namespace {

TEST(FileOps, lists_each_name_once_however_many_there_are) {
  const TemporaryDirectory root;
  std::vector<std::string> made = {"..x", ".hidden"};
  for (int i = 1000; i < 2000; ++i) made.push_back(std::to_string(i) + std::string(200, 'n'));
  for (const std::string &name : made) std::ofstream(root.path() + "/" + name);
  std::vector<std::string> names = {"from before"};
  ASSERT_EQ(system_file_ops().list(root.path().c_str(), names), 0);
  EXPECT_EQ(names, made);
}

TEST(FileOps, an_empty_directory_has_no_names) {
  const TemporaryDirectory root;
  std::vector<std::string> names = {"from before"};
  ASSERT_EQ(system_file_ops().list(root.path().c_str(), names), 0);
  EXPECT_TRUE(names.empty());
}

TEST(FileOps, what_is_no_directory_is_not_listed_nor_waited_for) {
  const TemporaryDirectory root;
  const std::string pipe = root.path() + "/pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::vector<std::string> names;
  EXPECT_EQ(system_file_ops().list(pipe.c_str(), names), -1);
  EXPECT_EQ(errno, ENOTDIR);
  EXPECT_EQ(system_file_ops().list((root.path() + "/missing").c_str(), names), -1);
  EXPECT_EQ(errno, ENOENT);
}

}  // namespace
}  // namespace dsh::loader
