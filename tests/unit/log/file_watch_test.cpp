#include "log/file_watch.hpp"

#include <gtest/gtest.h>
#include <poll.h>

#include <fstream>

#include "support/temporary_directory.hpp"

namespace dsh::loader {
namespace {

class FileWatchTest : public testing::Test {
 protected:
  /// Has anything changed since the last time?
  bool noticed() {
    pollfd ready{watch_.descriptor(), POLLIN, 0};
    const bool some = poll(&ready, 1, 0) == 1;
    EXPECT_EQ(watch_.changed(), some);
    return some;
  }

  void append(const std::filesystem::path &file) const { std::ofstream(root_ / file, std::ios::app) << "x"; }

  TemporaryDirectory directory_;
  const std::filesystem::path root_{directory_.path()};
  FileWatch watch_;
};

TEST_F(FileWatchTest, notices_what_happens_in_a_directory) {
  EXPECT_TRUE(watch_.watch({root_}));
  EXPECT_FALSE(watch_.watch({root_})) << "nothing new";
  EXPECT_FALSE(noticed());
  append("file");
  EXPECT_TRUE(noticed());
  append("file");
  EXPECT_TRUE(noticed());
  std::filesystem::rename(root_ / "file", root_ / "other");
  EXPECT_TRUE(noticed());
  EXPECT_EQ(watch_.timeout(), -1);
}

TEST_F(FileWatchTest, of_what_is_above_a_missing_directory_only_comings_count) {
  append("noise");
  watch_.watch({root_ / "a" / "b"});
  append("noise");
  std::filesystem::remove(root_ / "noise");
  EXPECT_FALSE(noticed());
  std::filesystem::create_directory(root_ / "a");
  EXPECT_TRUE(noticed());
  EXPECT_TRUE(watch_.watch({root_ / "a" / "b"}));
  std::filesystem::create_directory(root_ / "a" / "b");
  EXPECT_TRUE(noticed());
  EXPECT_TRUE(watch_.watch({root_ / "a" / "b"}));
  append("a/b/file");
  EXPECT_TRUE(noticed());
}

TEST_F(FileWatchTest, a_directory_watched_for_itself_and_for_one_below_is_watched_for_both) {
  append("file");
  watch_.watch({root_, root_ / "missing"});
  append("file");
  EXPECT_TRUE(noticed());
}

TEST_F(FileWatchTest, of_a_link_the_targets_directory_is_watched_too) {
  for (const char *name : {"links", "more", "target"}) std::filesystem::create_directory(root_ / name);
  append("target/file");
  std::filesystem::create_symlink("../target/file", root_ / "more" / "link");
  std::filesystem::create_symlink(root_ / "more" / "link", root_ / "links" / "link");
  EXPECT_EQ(directories_of(root_ / "target" / "file"), std::vector<std::filesystem::path>{root_ / "target"});
  watch_.watch(directories_of(root_ / "links" / "link"));
  for (const char *name : {"target/file", "more/other", "links/other"}) {
    append(name);
    EXPECT_TRUE(noticed()) << name;
  }
  std::filesystem::create_symlink("circle", root_ / "circle");
  EXPECT_FALSE(directories_of(root_ / "circle").empty());
}

TEST_F(FileWatchTest, of_a_directory_behind_links_where_they_lead_is_noticed_too) {
  for (const char *name : {"one", "two", "links"})
    std::filesystem::create_directories(root_ / name / "below");
  std::filesystem::create_directory_symlink("../one", root_ / "links" / "link");
  std::filesystem::create_directory_symlink(root_ / "links" / "link", root_ / "way");
  EXPECT_TRUE(watch_.watch({root_ / "way" / "below" / ".." / "below"}));
  append("one/below/file");
  EXPECT_TRUE(noticed());
  append("links/noise");
  (void)noticed();
  append("links/noise");
  append("two/below/file");
  EXPECT_FALSE(noticed()) << "what lies beside a link does not matter";
  std::filesystem::create_directory_symlink("../two", root_ / "links" / "new");
  (void)noticed();
  std::filesystem::rename(root_ / "links" / "new", root_ / "links" / "link");
  EXPECT_TRUE(noticed());
  EXPECT_TRUE(watch_.watch({root_ / "way" / "below"}));
  append("two/below/file");
  EXPECT_TRUE(noticed());
  std::filesystem::remove(root_ / "way");
  EXPECT_TRUE(noticed());
  std::filesystem::create_directory_symlink("way", root_ / "way");
  (void)watch_.watch({root_ / "way"});
}

TEST_F(FileWatchTest, where_the_kernel_cannot_tell_of_all_a_change_is_possible_now_and_then) {
  watch_.watch({root_});
  EXPECT_EQ(watch_.timeout(), -1);
  const std::filesystem::path beyond = root_ / std::string(300, 'x');  // no directory has such a name
  for (int i = 0; i < 2; ++i) {
    watch_.watch({root_, beyond});
    ASSERT_GE(watch_.timeout(), 0);
    EXPECT_LE(watch_.timeout(), 1000);
    pollfd ready{watch_.descriptor(), POLLIN, 0};
    EXPECT_EQ(poll(&ready, 1, watch_.timeout()), 0);
    EXPECT_TRUE(watch_.changed());
  }
  watch_.watch({root_});
  EXPECT_EQ(watch_.timeout(), -1);
}

TEST_F(FileWatchTest, what_is_not_watched_any_more_is_not_noticed) {
  watch_.watch({root_});
  watch_.watch({"/"});
  (void)noticed();  // the kernel tells that a watch has ended
  append("file");
  EXPECT_FALSE(noticed());
}

}  // namespace
}  // namespace dsh::loader
