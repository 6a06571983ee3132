#include "log/place_rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "text/error.hpp"

namespace dsh::loader {
namespace {

using ::testing::HasSubstr;

TEST(PlaceRules, names_of_formats_to_come_are_refused) {
  for (const std::string version : {"5", "2147483648", "9007199254740993", "99999999999999999999"}) {
    const LogFile file = *parse_log_name("session.v" + version + ".jsonl");
    EXPECT_THROW(require_known_format(file), Error) << version;
  }
  for (const char *name : {"session.jsonl", "session.v4.jsonl.zstd"})
    EXPECT_NO_THROW(require_known_format(*parse_log_name(name)));
  EXPECT_NO_THROW(require_known_format({"/any", -1, false}));
}

TEST(PlaceRules, a_format_problem_is_a_name_that_disagrees_with_the_header) {
  SessionHeader stored;
  stored.version = 2;
  EXPECT_FALSE(format_problem({"/r/p/s/session.v2.jsonl", 2, false}, stored).has_value());
  EXPECT_FALSE(format_problem({"/r/renamed", -1, false}, stored).has_value());
  EXPECT_EQ(format_problem({"/r/p/s/session.jsonl", 0, false}, stored),
            "the file's name says session log format 0, its header says 2");
}

TEST(PlaceRules, a_directory_problem_is_a_place_that_the_header_does_not_give) {
  SessionHeader stored;
  stored.id = "a/b";
  EXPECT_FALSE(directory_problem({"/r/_no-cwd/a~002Fb/session.jsonl"}, stored).has_value());
  EXPECT_THAT(
      *directory_problem({"/r/_no-cwd/a/session.jsonl"}, stored),
      HasSubstr("names session \"a/b\" of no cwd, which belongs in _no-cwd/a~002Fb, not in _no-cwd/a"));
  EXPECT_THAT(*directory_problem({"/session.jsonl"}, stored), HasSubstr("not in /"));
  stored.cwd = "/home";
  EXPECT_THAT(*directory_problem({"/r/_no-cwd/a~002Fb/session.jsonl"}, stored),
              HasSubstr("of \"/home\", which belongs in --home--/a~002Fb"));
  stored.id = "";
  EXPECT_THAT(*directory_problem({"/r/_no-cwd/a/session.jsonl"}, stored), HasSubstr("header is impossible"));
}

TEST(PlaceRules, the_place_is_the_same_by_whatever_path) {
  SessionHeader stored;
  stored.id = "s";
  for (const char *path : {"_no-cwd/s/session.jsonl", "./_no-cwd/s/session.jsonl",
                           "/r/_no-cwd/./s//session.jsonl", "/r/_no-cwd/other/../s/session.jsonl"})
    EXPECT_FALSE(directory_problem({path}, stored).has_value()) << path;
  for (const char *path : {"s/session.jsonl", "session.jsonl", "/r/_no-cwd/s/../session.jsonl"})
    EXPECT_TRUE(directory_problem({path}, stored).has_value()) << path;
}

TEST(PlaceRules, of_a_name_as_long_as_a_log_the_start_is_told) {
  SessionHeader stored;
  stored.id = "s";
  stored.cwd = std::string(1'000'000, 'x');
  const std::string problem = *directory_problem({"/r/_no-cwd/s/session.jsonl"}, stored);
  EXPECT_THAT(problem, HasSubstr("x…\""));
  EXPECT_LT(problem.size(), 1000U);
  stored.id = std::string(1'000'000, '/');
  EXPECT_THAT(*directory_problem({"/r/_no-cwd/s/session.jsonl"}, stored),
              HasSubstr("session id too long: its directory's name would have 5000000 bytes"));
}

}  // namespace
}  // namespace dsh::loader
