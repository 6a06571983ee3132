#include "log/log_paths.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "log/file_ops.hpp"
#include "support/temporary_directory.hpp"
#include "text/advised_error.hpp"

namespace dsh::loader {
namespace {

using namespace std::string_literals;

TEST(SessionDirectoryName, keeps_safe_units_and_escapes_the_rest) {
  EXPECT_EQ(session_directory_name("session-1_x.Y"), "session-1_x.Y");
  EXPECT_EQ(session_directory_name("a/b\\c:d e"), "a~002Fb~005Cc~003Ad~0020e");
  EXPECT_EQ(session_directory_name("~"), "~007E");
  EXPECT_EQ(session_directory_name("."), "~002E");
  EXPECT_EQ(session_directory_name(".."), "~002E~002E");
  EXPECT_EQ(session_directory_name("..."), "...");
  EXPECT_EQ(session_directory_name("../../etc"), "..~002F..~002Fetc");
  EXPECT_EQ(session_directory_name("a\0b"s), "a~0000b");
  EXPECT_EQ(session_directory_name("\xF0\x9F\xA7\xA0"), "~D83E~DDE0");  // U+1F9E0 as two units
  EXPECT_EQ(session_directory_name("\xED\xA0\xBE"), "~D83E");           // a lone surrogate in WTF-8
  EXPECT_EQ(session_directory_name("\xC3\xA9"), "~00E9");
}

TEST(SessionDirectoryName, different_ids_have_different_names) {
  EXPECT_NE(session_directory_name("a"), session_directory_name("A"));
  EXPECT_NE(session_directory_name("~002E"), session_directory_name("."));
  EXPECT_NE(session_directory_name("e\xCC\x81"), session_directory_name("\xC3\xA9"));  // normal forms
}

TEST(SessionDirectoryName, impossible_names_are_refused) {
  EXPECT_THROW(session_directory_name(""), Error);
  EXPECT_THROW(session_directory_name("\xFF"), Error);
  EXPECT_THROW(session_directory_name("a\xC0\x80"), Error);
  EXPECT_EQ(session_directory_name(std::string(255, 'a')).size(), 255U);
  EXPECT_THROW(session_directory_name(std::string(256, 'a')), Error);
  EXPECT_THROW(session_directory_name(std::string(4096, 'a')), Error);
  EXPECT_EQ(session_directory_name(std::string(51, '/')).size(), 255U);
  EXPECT_THROW(session_directory_name(std::string(52, '/')), Error);
}

TEST(ProjectDirectoryName, is_a_slug_of_the_working_directory) {
  EXPECT_EQ(project_directory_name(std::nullopt), "_no-cwd");
  EXPECT_EQ(project_directory_name("/home/u/My Proj:x"), "--home-u-My~0020Proj-x--");
  EXPECT_EQ(project_directory_name("/"), "--root--");
  EXPECT_EQ(project_directory_name("///"), "--root--");
  EXPECT_EQ(project_directory_name("C:\\Users\\me"), "--C-Users-me--");
  EXPECT_EQ(project_directory_name("/-a"), "--a--");
  EXPECT_EQ(project_directory_name("/a//b"), "--a-b--");
  EXPECT_EQ(project_directory_name("/a-/b"), "--a--b--");
  EXPECT_EQ(project_directory_name(".."), "--..--");
  EXPECT_EQ(project_directory_name("/~"), "--~007E--");
  EXPECT_THROW(project_directory_name(""), Error);
  EXPECT_THROW(project_directory_name("/\xFF"), Error);
}

TEST(ProjectDirectoryName, is_cut_to_what_a_path_component_may_be) {
  const std::string name = project_directory_name("/" + std::string(4096, 'a'));
  EXPECT_EQ(name, "--" + std::string(251, 'a') + "--");
  EXPECT_EQ(project_directory_name("/" + std::string(250, 'a') + "/b"), "--" + std::string(250, 'a') + "---");
}

TEST(LogName, tells_generation_and_packing) {
  EXPECT_EQ(parse_log_name("session.jsonl")->generation, 0);
  EXPECT_FALSE(parse_log_name("session.jsonl")->compressed);
  EXPECT_TRUE(parse_log_name("session.jsonl.zstd")->compressed);
  EXPECT_EQ(parse_log_name("session.v3.jsonl")->generation, 3);
  EXPECT_EQ(parse_log_name("session.v12.jsonl.zstd")->generation, 12);
  for (const char *name : {"session.jsonl", "session.v3.jsonl", "session.v99999999999999999999.jsonl.zstd"}) {
    const LogFile file = *parse_log_name(name);
    EXPECT_EQ(file.generation == 0 ? "0" : std::string(name).substr(9, std::string(name).find(".jsonl") - 9),
              format_in_name(file));
  }
  EXPECT_EQ(parse_log_name("session.v99999999999.jsonl")->generation, std::numeric_limits<int>::max());
  for (const char *other : {"session", "session.jsonl.tmp", "session.v0.jsonl", "session.v01.jsonl",
                            "session.v.jsonl", "session.v1x.jsonl", "xsession.jsonl", "session.jsonl.gz",
                            "session.v99999999999x.jsonl", "session.jsonl.1234.tmp", "session.v-1.jsonl"})
    EXPECT_FALSE(parse_log_name(other).has_value()) << other;
}

TEST(FindLog, takes_the_highest_generation) {
  const TemporaryDirectory directory;
  EXPECT_FALSE(find_log(system_file_ops(), directory.path()).has_value());
  EXPECT_FALSE(find_log(system_file_ops(), directory.path() + "/absent").has_value());
  directory.write("session.jsonl", "");
  directory.write("session.jsonl.abc.tmp", "");
  EXPECT_EQ(find_log(system_file_ops(), directory.path())->generation, 0);
  directory.write("session.v2.jsonl.zstd", "");
  directory.write("session.v1.jsonl", "");
  const auto newest = find_log(system_file_ops(), directory.path());
  EXPECT_EQ(newest->generation, 2);
  EXPECT_TRUE(newest->compressed);
  EXPECT_EQ(newest->path, directory.path() + "/session.v2.jsonl.zstd");
  directory.write("session.v2.jsonl", "");
  EXPECT_THROW(find_log(system_file_ops(), directory.path()), Error);
  directory.write("session.v99999999999.jsonl", "");
  EXPECT_EQ(find_log(system_file_ops(), directory.path())->path,
            directory.path() + "/session.v99999999999.jsonl");
}

TEST(FindLog, a_directory_in_its_place_is_none) {
  const TemporaryDirectory directory;
  directory.write("session.jsonl/inside", "");
  EXPECT_THROW(find_log(system_file_ops(), directory.path()), Error);
  EXPECT_FALSE(find_log(system_file_ops(), directory.path(), NamedLikeLogs::passed_over).has_value());
}

TEST(RethrowNaming, adds_the_path_where_it_lacks_and_loses_nothing) {
  const LogFile file{"/s/session.jsonl", 0, false};
  const auto named = [&](const std::string &text) {
    try {
      throw AdvisedError(text, "mend it", "Name", "CODE");
    } catch (const Error &error) {
      try {
        rethrow_naming(file, error);
      } catch (const AdvisedError &again) {
        EXPECT_EQ(again.advice(), "mend it");
        EXPECT_EQ(again.name(), "Name");
        EXPECT_EQ(again.code(), "CODE");
        return again.text();
      }
    }
  };
  EXPECT_EQ(named("can't read it"), "can't read it (/s/session.jsonl)");
  EXPECT_EQ(named("can't read /s/session.jsonl"), "can't read /s/session.jsonl");
}

}  // namespace
}  // namespace dsh::loader
